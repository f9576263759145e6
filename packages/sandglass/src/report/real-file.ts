/** The file that is there, of a text that stands in it: `map.yaml!/web-conf/nginx.conf` is in `map.yaml`. */
export function realFile(file: string): string {
  const inside = file.indexOf('!/')
  return inside < 0 ? file : file.slice(0, inside)
}
