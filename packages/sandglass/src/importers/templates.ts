/** Stands for a template's characters in a text that is parsed: same length, so that positions stay; not used by people in values. */
const MASK = '\u00a4'

/** Masks what a template engine would replace (`{{ … }}`, `{% … %}`, `@maven.token@`), so that the rest can be parsed; positions stay. */
export function maskTemplates(text: string): string {
  const whole = text.replace(/^[ \t]*(?:\{\{[^\n{}]{0,500}\}\}|\{%[^\n]{0,500}?%\})[ \t]*$/gm, (line) => blank(line))
  return whole
    .replace(/\{\{[^\n{}]{0,500}\}\}|\{%[^\n]{0,500}?%\}/g, (template) => MASK.repeat(template.length))
    .replace(/@(?<=[:=,[][ \t]*@)[\w.-]{1,100}@/g, (token) => MASK.repeat(token.length))
}

/** A line that holds nothing but a template becomes a comment of the same length. */
function blank(line: string): string {
  return `#${' '.repeat(line.length - 1)}`
}

/** The text without the braces of templates and variables: what it looks like to somebody who asks which format it is. */
export function withoutTemplates(text: string): string {
  return maskTemplates(text).replace(/\$\{[^{}\n]{0,200}\}/g, MASK)
}

/** The template in a value that was read, as people would name it; null where there is none. */
export function templateIn(text: string): string | null {
  if (text.includes(MASK)) return 'a template'
  const found = /\$\{[^}]{0,200}\}|\$\([^)]{0,200}\)|\{\{.{0,200}?\}\}|\$[A-Za-z_]\w{0,100}|<%.{0,200}?%>/.exec(text)
  return found ? found[0] : null
}
