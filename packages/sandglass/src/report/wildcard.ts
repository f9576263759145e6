/** Whether a whole text matches a pattern in which `*` stands for any letters and `?` for one; time at most pattern x text. */
export function wildcardMatches(pattern: string, text: string): boolean {
  let at = 0
  let inText = 0
  let star = -1
  let resume = 0
  while (inText < text.length) {
    const letter = pattern[at]
    if (letter === '*') {
      star = at++
      resume = inText
    } else if (letter === '?' || (letter !== undefined && letter === text[inText])) {
      at++
      inText++
    } else if (star >= 0) {
      at = star + 1
      inText = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
