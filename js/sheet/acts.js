/** What somebody may do out of turn, from their rung: as their budget or the window has it. */
import { html, nothing } from "lit-html";

/** @import { Intent } from "../shared/port.js" */
/** @import { Act } from "../shared/types.js" */
/** @import { Desk } from "./sheet.js" */

/** @param {Desk} desk */
export function createActs({ root, port, say, view, draw, rungOf, bring }) {
  /** Where the form stands that asks what is needed. @type {{id: string, close?: () => void} | undefined} */
  let asking;

  const shut = () => {
    asking?.close?.();
    asking = undefined;
  };

  return {
    /** @param {string} id @param {Act} act */
    press: async (id, act) => {
      const wasOpen = asking?.id === id;
      shut();
      if (wasOpen) return draw();
      const own = (asking = { id });
      draw();
      const { askIn } = await bring("form");
      const el = /** @type {HTMLElement | null} */ (root.querySelector("[data-ask=act]"));
      if (asking !== own || !el) return;
      const back = () => /** @type {HTMLElement | null | undefined} */ (rungOf(id)?.querySelector(".ck-mini"))?.focus();
      const wanted = {
        ...{ name: act.id ? view().rows[id]?.name : null, action: act.id || "resolve", title: act.title },
        ...{ noted: true, direct: !act.needs?.length, table: view().dice === "table", say },
        opened: () => /** @type {HTMLElement | null} */ (el.querySelector("button, input"))?.focus(),
        closed: (/** @type {string} */ by) => {
          if (by === "escape") {
            asking = undefined;
            draw();
            back();
          }
        },
        ...(!act.id && {
          send: (/** @type {any} */ { params, rolls }, /** @type {(refusal: any) => void} */ refused) =>
            port.send(/** @type {Intent} */ ({ kind: "resolve", ...params, ...(rolls && { rolls }) }), refused),
        }),
      };
      const close = askIn(el, port, wanted);
      if (asking === own) asking = { id, close };
      else close();
    },
    /** @param {string} id */
    under: (id) => (asking?.id === id ? html`<div class="ck-under" data-ask="act"></div>` : nothing),
  };
}
