import { tr } from "./tongue.js";

/** Whom somebody plays at a table, if anybody. @param {string[]} whom */
export const playing = (whom) => (whom.length ? tr(`plays ${whom.join(" and ")}`) : tr("plays nobody yet"));
