import { nothing, render } from "lit-html";

import { ownPrefix } from "../shared/element.js";
import { rule } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { html } from "../shared/tongue.js";

/** @import { Port } from "../shared/port.js" */
/** @import { RulesData, RulesRow } from "../shared/types.js" */

/**
 * Shows what rulebooks answer to the same questions. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{signal: AbortSignal}} place
 * @returns {(view: RulesData) => void}
 */
export function createRules(root, port, { signal }) {
  const say = voice(root, false);
  const panel = ownPrefix();
  /** @type {RulesData} */
  let view;
  /** The example that is open. @type {{system: string, code: string, outcome: string} | undefined} */
  let example;

  /** @param {string} system */
  const toggle = async (system) => {
    if (example?.system === system) {
      example = undefined;
      return draw();
    }
    const { topic } = view;
    try {
      const found = await port.ask({ kind: "example", system });
      if (signal.aborted || view.topic !== topic) return;
      example = found;
      draw();
      say(`Result: ${found.outcome}`);
    } catch (refusal) {
      say(/** @type {{reason: string}} */ (refusal).reason);
    }
  };

  /** @param {RulesRow} row @param {string} silent */
  const line = ({ question, cells }, silent) =>
    html`<tr role="row">
      <th role="rowheader" scope="row">${question}</th>
      ${cells.map(
        (said, index) =>
          html`<td role="cell" data-system=${view.systems[index]?.[1] ?? ""}>
            ${said.length
              ? said.map(
                  ([text, id, disputed]) =>
                    html`<p>${text} ${disputed ? html`<span class="ck-chip">disputed</span> ` : nothing}${rule(id)}</p>`,
                )
              : html`<p class="ck-quiet">${silent}</p>`}
          </td>`,
      )}
    </tr>`;

  /** @param {string} label @param {unknown} body */
  const table = (label, body) =>
    html`<table role="table" aria-label=${label}>
      <thead>
        <tr role="row">
          <th role="columnheader" scope="col">Question</th>
          ${view.systems.map(([, title]) => html`<th role="columnheader" scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>`;

  const trials = () =>
    html`<tr role="row">
      <th role="rowheader" scope="row">In play</th>
      ${view.systems.map(
        ([id, title, has]) =>
          html`<td role="cell" data-system=${title}>
            ${has
              ? html`<button
                  type="button"
                  class="ck-btn"
                  aria-expanded=${example?.system === id}
                  aria-controls=${panel}
                  aria-label="Example, ${title}"
                  @click=${() => toggle(id)}
                >
                  Example
                </button>`
              : html`<p class="ck-quiet">No example.</p>`}
          </td>`,
      )}
    </tr>`;

  const draw = () => {
    const title = view.topics.find(([id]) => id === view.topic)?.[1] ?? "";
    const open = view.systems.find(([id]) => id === example?.system);
    const count = view.more.cells.flat().length;
    render(
      html`<section class="ck-rules" aria-label="Differences by rule">
        ${view.topics.length > 1
          ? html`<label
              >Topic<select
                @change=${(/** @type {{target: HTMLSelectElement}} */ { target }) =>
                  port.send({ kind: "topic", topic: target.value }, ({ reason }) => say(reason))}
              >
                ${view.topics.map(([id, name]) => html`<option value=${id} ?selected=${id === view.topic}>${name}</option>`)}
              </select></label
            >`
          : html`<div class="ck-cap"><h4>${title}</h4><span class="ck-label">rule by rule</span></div>`}
        ${table(title, [view.rows.map((row) => line(row, "The rulebook says nothing.")), view.systems.some(([, , has]) => has) ? trials() : nothing])}
        <div id=${panel} class="ck-example">
          ${example && open
            ? html`<h4>${open[1]}: ${title}</h4>
                <pre tabindex="0" aria-label="Code"><code>${example.code}</code></pre>
                <pre tabindex="0" aria-label="Result">${example.outcome}</pre>`
            : nothing}
        </div>
        ${count
          ? html`<details>
              <summary>${view.more.question} (${count} ${count === 1 ? "rule" : "rules"})</summary>
              ${table(`${title}: the rest`, line(view.more, "Nothing else."))}
            </details>`
          : nothing}
      </section>`,
      root,
    );
  };

  watchRules(root, port.ask, say, signal);
  return (next) => {
    if (next.topic !== view?.topic) {
      example = undefined;
      const [, title] = next.topics.find(([id]) => id === next.topic) ?? [];
      if (view) say(next.rows.length === 1 ? `${title}: 1 question` : `${title}: ${next.rows.length} questions`);
    }
    view = next;
    draw();
  };
}
