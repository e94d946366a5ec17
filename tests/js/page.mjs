// The page's modules, asked on standard input for one thing of many: {what, given}, `what` a name of ANSWERS.

import { stdin, stdout } from "node:process";
import { json } from "node:stream/consumers";

const FOLDER = "../../service/web/static/page";
const [{ fill, GRADES }, { merge, Store }] = await Promise.all(
  ["words", "store"].map((name) => import(`${FOLDER}/${name}.js`)));

const ANSWERS = {
  /** [[document, patch]] -> the merged; and whether each document stayed as it was. */
  merge: (pairs) => pairs.map(([document, patch]) => {
    const before = JSON.stringify(document);
    return [merge(document, patch), JSON.stringify(document) === before];
  }),

  /** [[line, names]] -> the lines. */
  fill: (pairs) => pairs.map(([line, names]) => fill(line, names)),

  /** What each grade means. */
  grades: () => GRADES,

  /** What a store says of versions in the order asked, what it had at once before, and what it fetched for each. */
  async store({ path, head, answers, asked }) {
    const fetched = [];
    const store = new Store(path, head, async (address) => {
      fetched.push(address);
      if (!Object.hasOwn(answers, address)) throw new Error(`nobody answers at ${address}`);
      return JSON.parse(answers[address]);
    });
    const told = [];
    for (const versions of asked) {
      const before = versions.map((version) => store.now(version) !== undefined);
      const found = await Promise.all(versions.map((version) => store.at(version).catch(String)));
      told.push({ before, found, fetched: fetched.splice(0) });
    }
    return told;
  },
};

const { what, given } = await json(stdin);
stdout.write(JSON.stringify(await ANSWERS[what](given)));
