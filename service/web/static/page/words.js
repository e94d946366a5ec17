// Words of the log: its told lines, and what the grades mean.

export const GRADES = {
  A: "nobody chose it, the host included, unless all who gave did so together",
  B: "some seat beside the house gave a link, or its random bytes; perhaps only the one who asked",
  C: "drawn by the house alone: it cannot be rewritten, but is not protected against the house",
  D: "physical dice, as somebody typed them in",
};

/** What a line of the log says, if it may be seen. */
export const saidBy = ({ sealed, text }) => (sealed ? "Sealed: not for your eyes yet." : text);


const MARK = /\{\{|\}\}|\{(@?[a-z][a-z0-9-]{0,31})\}/g;

/** A told line with names for the ids that it knows, {ana} and the seat {@gm}; a doubled brace stands for one.
 *  Inside a sentence, "The troll" is "the troll". */
export function fill(told, names) {
  const named = (id, at) => {
    const name = Object.hasOwn(names, id) ? names[id] : id.replace(/^@/, "");
    const isFirst = at === 0 || /[.:] $/.test(told.slice(0, at));
    return isFirst ? name : name.replace(/^The /, "the ");
  };
  const filled = told.replace(MARK, (mark, id, at) => (id === undefined ? mark[0] : named(id, at)));
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}
