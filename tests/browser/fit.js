/*
 * What does not fit on a page as it stands: sideways scrolling, text that is cut off, runs out of its box or into other text, short
 * words that are broken, and targets too small for a thumb. Answers a list of sentences; `thumb` is the least width and height of a target.
 */
(thumb) => {
  const faults = [];
  /** Asked again and again of the same elements, while nothing on the page changes. */
  const once = (ask) => {
    const answers = new Map();
    return (element) => {
      if (!answers.has(element)) answers.set(element, ask(element));
      return answers.get(element);
    };
  };
  const style = once((element) => getComputedStyle(element));
  const say = (fault, element) => {
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    const name = element.getAttribute("name") || element.getAttribute("class") || "";
    faults.push(`${fault}: <${element.localName} ${name}> ${text}`);
  };
  const round = (number) => Math.round(number * 10) / 10;

  // ---- what can be seen ----

  const ancestors = once((element) => {
    const found = [];
    for (let one = element; one && one !== document.documentElement; one = one.parentElement) found.push(one);
    return found;
  });
  const isForReaders = (element) => Boolean(element.closest(".visually-hidden, .skip, option, template, script, style"));
  const isSeen = once(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !isForReaders(element) && element.getBoundingClientRect().width > 0,
  );

  // ---- sideways ----

  // A phone widens its window to what sticks out, but not the page.
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    faults.push(`the page is ${scrollWidth} px wide on a screen of ${clientWidth}`);
    for (const element of document.querySelectorAll("body *")) {
      const box = element.getBoundingClientRect();
      const isInside = ancestors(element).slice(1).some((one) => ["auto", "scroll"].includes(style(one).overflowX));
      if (isSeen(element) && !isInside && box.right > clientWidth + 1) say(`reaches ${round(box.right)}`, element);
    }
  }

  // ---- text ----

  /** Each piece of text with the boxes of its lines, cut down to about what its letters cover. */
  function pieces() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !isSeen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // What ends in an ellipsis is cut on purpose.
      const cut = ancestors(element).find((one) => style(one).textOverflow === "ellipsis" && style(one).overflowX === "hidden");
      const edge = cut?.getBoundingClientRect().right ?? Infinity;
      // So is what stands behind the last of so many lines, of which the last one ends in one: no line is cut itself. And what is
      // scrolled out of its box cannot be seen.
      const isEnd = ({ webkitLineClamp, overflowY }) =>
        (webkitLineClamp !== "none" && overflowY === "hidden") || ["auto", "scroll"].includes(overflowY);
      const clamp = ancestors(element).find((one) => isEnd(style(one)));
      const lowest = clamp?.getBoundingClientRect().bottom ?? Infinity;
      for (const { left, right: end, top, bottom } of range.getClientRects()) {
        if (top >= lowest) continue;
        const right = Math.min(end, edge);
        const inset = (bottom - top) / 5;
        if (right - left > 1) found.push({ element, left, right, top: top + inset, bottom: bottom - inset });
      }
    }
    return found;
  }

  const isBox = once((element) => {
    const { borderLeftWidth, borderTopWidth, backgroundColor } = style(element);
    const isPainted = backgroundColor !== "rgba(0, 0, 0, 0)" || parseFloat(borderLeftWidth) > 0 || parseFloat(borderTopWidth) > 0;
    return isPainted || element.matches("td, th, button, summary, label");
  });

  /** Text stays in the box it is painted in, and in everything that cuts off what is larger. */
  function judgeBoxes(piece) {
    let isInOwnBox = false;
    for (const element of ancestors(piece.element)) {
      const { overflowX, overflowY, display } = style(element);
      if (display === "contents") continue;
      // What scrolls can be scrolled to, in the direction it scrolls.
      if (["auto", "scroll"].includes(overflowX)) return;
      const box = element.getBoundingClientRect();
      const over = Math.max(box.left - piece.left, piece.right - box.right);
      const below = Math.max(box.top - piece.top, piece.bottom - box.bottom);
      if (!isInOwnBox && isBox(element)) {
        isInOwnBox = true;
        if (over > 1) say(`text ${round(over)} px beside its box`, piece.element);
        if (below > 1) say(`text ${round(below)} px above or below its box`, piece.element);
      }
      if (["hidden", "clip"].includes(overflowX) && over > 1) say(`${round(over)} px cut off at the side`, piece.element);
      if (["hidden", "clip"].includes(overflowY) && below > 1) say(`${round(below)} px cut off above or below`, piece.element);
    }
  }

  /** What is pinned to the screen, or lifted above the page, lies over the rest on purpose. */
  const isLifted = ({ position, zIndex }) => ["fixed", "sticky"].includes(position) || (position === "absolute" && zIndex !== "auto");
  const pinned = once((element) => ancestors(element).find((one) => isLifted(style(one))) ?? null);

  function judgeNeighbours(all) {
    const placed = all.map((piece) => ({ ...piece, layer: pinned(piece.element) })).sort((a, b) => a.top - b.top);
    placed.forEach((piece, index) => {
      for (const other of placed.slice(index + 1)) {
        if (other.top >= piece.bottom) break;
        if (other.element === piece.element || other.layer !== piece.layer) continue;
        const across = Math.min(piece.right, other.right) - Math.max(piece.left, other.left);
        const down = Math.min(piece.bottom, other.bottom) - Math.max(piece.top, other.top);
        if (across > 1 && down > 1) say(`text over "${other.element.textContent.trim().slice(0, 30)}"`, piece.element);
      }
    });
  }

  /** Numbers and short words stay in one piece; what is glued into something longer, like a login, may break anywhere. */
  function judgeWords(element) {
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue;
      for (const { 0: word, index } of node.data.matchAll(/(?<=^|[\s(-])([−+]?\p{N}+|\p{L}+)(?=$|[\s),.:;-])/gu)) {
        if (word.length > 6) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => box.top));
        if (lines.size > 1) say(`"${word}" is broken`, element);
      }
    }
  }

  const all = pieces();
  all.forEach(judgeBoxes);
  judgeNeighbours(all);
  new Set(all.map((piece) => piece.element)).forEach(judgeWords);

  for (const field of document.querySelectorAll("input, textarea")) {
    const isText = !["hidden", "checkbox", "radio", "submit"].includes(field.type);
    if (isText && field.value && isSeen(field) && field.scrollHeight > field.clientHeight + 1) say("a field too low for its text", field);
  }

  // ---- targets ----

  const isInSentence = (link) => {
    if (link.localName !== "a" || style(link).display !== "inline") return false;
    const around = [...link.parentElement.childNodes].filter((node) => node !== link);
    return around.some((node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.data));
  };

  /** All that a finger may hit to reach it: for a field that has one, its label too. */
  function reach(target) {
    const parts = [target, ...(target.labels ?? [])].filter(isSeen).map((part) => part.getBoundingClientRect());
    if (["checkbox", "radio"].includes(target.type)) {
      const [left, top] = ["left", "top"].map((side) => Math.min(...parts.map((part) => part[side])));
      const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...parts.map((part) => part[side])));
      return { width: right - left, height: bottom - top };
    }
    return parts[0];
  }

  for (const target of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
    if (!isSeen(target) || isInSentence(target)) continue;
    const { width, height } = reach(target);
    if (width < thumb - 0.5 || height < thumb - 0.5) say(`a target of ${round(width)} x ${round(height)}`, target);
  }
  return [...new Set(faults)];
}
