/** The name of a config without the ending that a template engine wants: `my.cnf.j2` is `my.cnf`. */
export function withoutTemplateEnding(file: string): string {
  return file.replace(/\.(template|tmpl|tpl|j2|jinja2?)$/, '')
}
