/** What somebody may do out of turn, from their rung: as their budget or the window has it. */
import { askIn } from "../form/form.js";
import { element } from "../shared/element.js";
import { enter } from "../shared/focus.js";
import { tell } from "../shared/tell.js";

/** @import { Act } from "../shared/types.js" */
/** @import { Desk } from "./sheet.js" */

/** @param {Desk} desk */
export function createActs({ root, port, say, view, draw, back }) {
  /** What asks for what is needed, where there is no desk for it. @type {{id: string, el: HTMLElement, close: () => void} | undefined} */
  let asking;

  const shut = () => {
    asking?.close();
    asking = undefined;
  };

  return {
    /** @param {string} id @param {Act} act */
    press: (id, act) => {
      const name = view().rows[id]?.name ?? "";
      const isPass = act.id === "pass";
      if (tell(root, isPass ? "ck-pass" : "ck-answer", { name, action: act.id, title: act.title, params: act.params, needs: act.needs })) return;
      const refused = (/** @type {{reason: string}} */ { reason }) => say(reason);
      if (!act.id || isPass) {
        port.send({ kind: isPass ? "pass" : "look", name }, refused);
        return;
      }
      shut();
      const el = element("div");
      const own = { id, el, close: () => {} };
      asking = own;
      own.close = askIn(el, port, {
        ...{ name, action: act.id, title: act.title, params: act.params, noted: true, direct: !act.needs, table: view().dice === "table", say },
        opened: () => {
          asking = own;
          draw();
          enter(el);
        },
        closed: () => {
          if (asking === own) asking = undefined;
          draw();
          // What is done has no button any more: its rung hears the letters.
          back(id, ".is-mini");
        },
      });
    },
    alone: () => (view().acts ? asking?.el : undefined),
    come: () => {
      if (asking && !view().rows[asking.id]) shut();
    },
  };
}
