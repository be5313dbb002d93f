/**
 * Whether a letter is a key, though others are typed where it is pressed: N and U where nobody begins with them, which is on a
 * choice, and in an empty field where an action is looked for or it is asked how much; T, L and A in a die, and on a choice if
 * somebody may do something first.
 *
 * @param {KeyboardEvent} event
 */
export const isKey = ({ key, target }) =>
  /** @type {Element} */ (target).matches(
    `.ck-shell:not(.is-mute) :is(${/[nu]/i.test(key) ? ".ck-pick,:is(.ck-budget .ck-find *,[data-owed]):placeholder-shown" : /[tla]/i.test(key) ? ".ck-face,:has(.is-guard) .ck-pick" : ""})`,
  );
