/** What template engines want a file's name to end with. */
export const TEMPLATE_ENDINGS = ['template', 'tmpl', 'tpl', 'j2', 'jinja', 'jinja2'] as const

/** The name of a config without the ending that a template engine wants: `my.cnf.j2` is `my.cnf`. */
export function withoutTemplateEnding(file: string): string {
  const ending = TEMPLATE_ENDINGS.find((each) => file.endsWith(`.${each}`))
  return ending === undefined ? file : file.slice(0, -ending.length - 1)
}
