/** The picture below the map: its parts, asked for once, and the file it comes from, sent piece by piece. */

/** @import { Port } from "../shared/port.js" */
/** @import { MapPicture } from "../shared/types.js" */

/** How many bytes of a file fit into a message, and how many a picture may have. */
const PIECE = 11_000;
const MOST = 10_000_000;
const LONGEST = 200;
/** What can be chosen; Python tells by its content what a file is. */
export const KINDS = "image/png,image/jpeg,image/webp";
/** What was refused is asked for again after so many milliseconds, then after twice as long: a table that was paused goes on. */
const AGAIN = 2_000;

/**
 * Gives what a picture is shown from, as soon as all its parts are there.
 *
 * @param {Port["ask"]} ask @param {AbortSignal} signal @param {(why: string) => void} come called once they are, or with why they don't come
 * @returns {(picture: MapPicture | undefined) => string}
 */
export const createPicture = (ask, signal, come) => {
  /** By its id; empty while it is asked for. @type {Map<string, string>} */
  const known = new Map();
  /** The id of the one that lies there now: nobody is told why another doesn't come. @type {string | undefined} */
  let wanted;

  /** @param {string} id @param {number} pause */
  const fetch = async (id, pause) => {
    known.set(id, "");
    let data = "";
    let type = "";
    try {
      for (let part = 0, last = false; !last && !signal.aborted; part += 1) {
        const answer = await ask({ kind: "picture", picture: id, part });
        data += answer.data;
        ({ type, last } = answer);
      }
      known.set(id, `data:${type};base64,${data}`);
      if (!signal.aborted) come("");
    } catch (refusal) {
      if (signal.aborted) return;
      setTimeout(() => (id === wanted ? fetch(id, pause * 2) : known.delete(id)), pause);
      if (id === wanted && pause === AGAIN) come(/** @type {{reason: string}} */ (refusal).reason);
    }
  };

  return (picture) => {
    wanted = picture?.id;
    if (!wanted) return "";
    if (!known.has(wanted)) fetch(wanted, AGAIN);
    return known.get(wanted) ?? "";
  };
};

/** Sends a file that is to lie below the map. Fails with why it can't. @param {Port["ask"]} ask @param {File} file */
export const sendPicture = async (ask, file) => {
  const { size } = file;
  const name = file.name.slice(-LONGEST);
  if (size > MOST) throw { reason: `${name} has ${size.toLocaleString("en")} bytes, and a picture has at most ${MOST.toLocaleString("en")}.` };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let at = 0;
  do {
    const data = btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
    ({ at } = await ask({ kind: "map_file", name, size, at, data }));
  } while (at < size);
  return name;
};

/** Whether what is dragged is a file with a picture. @param {DragEvent} event */
export const holdsPicture = ({ dataTransfer }) => [...(dataTransfer?.items ?? [])].some(({ kind, type }) => kind === "file" && type.startsWith("image/"));
