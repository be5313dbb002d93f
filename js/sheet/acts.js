/** What somebody may do out of turn, from their rung: as their budget or the window has it. */
import { html, nothing } from "lit-html";

import { askIn } from "../form/form.js";
import { enter } from "../shared/focus.js";

/** @import { Intent } from "../shared/port.js" */
/** @import { Act } from "../shared/types.js" */
/** @import { Desk } from "./sheet.js" */

/** @param {Desk} desk */
export function createActs({ port, say, view, draw, rungOf }) {
  /** The form that asks what is needed, under whose rung, in an element that keeps what is typed while it is out of sight.
   * @type {{id: string, el: HTMLElement, close: () => void} | undefined} */
  let asking;

  const shut = () => {
    asking?.close();
    asking = undefined;
  };

  return {
    /** @param {string} id @param {Act} act */
    press: (id, act) => {
      const wasOpen = asking?.id === id;
      shut();
      if (wasOpen) return draw();
      const el = document.createElement("div");
      const own = { id, el, close: () => {} };
      const put = () => {
        if (asking === own) return;
        shut();
        asking = own;
        draw();
      };
      put();
      const wanted = {
        ...{ name: act.id ? (view().rows[id]?.name ?? null) : null, action: act.id || "resolve", title: act.title, params: act.params },
        ...{ noted: true, direct: !act.needs, table: view().dice === "table", say },
        opened: () => {
          put();
          enter(el);
        },
        closed: () => {
          if (asking === own) asking = undefined;
          draw();
          // What is done has no button any more: its rung hears the letters.
          /** @type {HTMLElement | null | undefined} */ (rungOf(id)?.querySelector(".ck-mini") ?? rungOf(id))?.focus();
        },
        ...(!act.id && {
          send: (/** @type {any} */ { params, rolls }, /** @type {(refusal: any) => void} */ refused) =>
            port.send(/** @type {Intent} */ ({ kind: "resolve", ...params, ...(rolls && { rolls }) }), refused),
        }),
      };
      own.close = askIn(el, port, wanted);
    },
    /** @param {string} id */
    under: (id) => (view().acts && asking?.id === id ? html`<div class="ck-under" data-ask="act">${asking.el}</div>` : nothing),
  };
}
