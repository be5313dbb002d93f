import { joined, tr } from "./tongue.js";

/** Whom somebody plays at a table, if anybody. @param {string[]} whom */
export const playing = (whom) => (whom.length ? tr(`plays ${joined(whom)}`) : tr("plays nobody yet"));
