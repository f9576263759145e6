import { chainStyle, colourTokens } from './svg-style.js'

/** The page's look: one column, the chain on a canvas that scrolls, findings as cards; light or dark as the reader prefers. */
export const htmlStyle: string = `
:root{${colourTokens.light};color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{${colourTokens.dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main{max-width:1240px;margin:0 auto;padding:0 28px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:10px 24px;padding-top:30px;padding-bottom:10px}
h1{display:flex;align-items:center;gap:10px;margin:0;font-size:23px;letter-spacing:-.01em}
h2{margin:0;font-size:17px}
h3{margin:0;font-size:15.5px;line-height:1.45}
.logo{width:27px;height:27px;fill:none;stroke:var(--sand);stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.grain{fill:var(--sand);stroke:none}
.counts{display:flex;gap:8px;margin:0;padding:0;list-style:none}
.counts li,.badge{display:inline-flex;align-items:center;gap:7px;padding:2px 12px 2px 4px;border-radius:99px;border:1px solid;font-weight:600;font-size:13.5px;white-space:nowrap}
.counts b,.badge b{display:inline-grid;place-items:center;width:19px;height:19px;border-radius:50%;font-size:11px;line-height:1;color:var(--paper);background:var(--tone)}
.counts li,.badge{color:var(--tone)}
.counts .error,.badge.error{--tone:var(--error);background:var(--error-soft)}
.counts .warning,.badge.warning{--tone:var(--warning);background:var(--warning-soft)}
.counts .info,.badge.info{--tone:var(--info);background:var(--info-soft)}
.counts .good{--tone:var(--good);padding-left:12px}
.coverage{margin:0;color:var(--soft);flex-basis:100%}
section{margin:26px 0 34px}
.bar{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 16px;margin-bottom:12px}
.hint{margin:0;color:var(--soft);font-size:13.5px}
.canvas{overflow:auto;max-height:76vh;background-color:var(--paper);background-image:radial-gradient(var(--rule) 1px,transparent 1px);background-size:22px 22px;border:1px solid var(--rule);border-radius:14px}
.canvas .chain{display:block;margin:0 auto;max-width:100%;height:auto}
.canvas .chain{--behind:var(--paper)}
.box{filter:drop-shadow(0 1px 2px rgb(0 0 0/.1))}
[role=button]{cursor:pointer}
[role=button]:focus{outline:none}
[role=button]:focus-visible rect{stroke:var(--ink);stroke-width:3}
.label.lit rect,.node.lit .box{stroke-width:3}
.line.lit{stroke-width:5}
.journeys{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:14px}
.journey,.finding,.notes{background:var(--paper);border:1px solid var(--rule);border-radius:14px;padding:16px 20px}
.journey{display:grid;grid-template-columns:1fr auto;gap:2px 12px}
.verdict{margin:0;color:var(--soft);font-size:13.5px;font-weight:600}
.verdict.error{color:var(--error)}.verdict.good{color:var(--good)}
.journey dl{grid-column:1/-1;display:grid;grid-template-columns:auto 1fr;gap:5px 14px;margin:8px 0 0;font-size:13.5px}
dt{color:var(--soft)}
dd{display:grid;grid-template-columns:1fr minmax(64px,auto);align-items:center;gap:12px;margin:0}
dd b{text-align:right;font-variant-numeric:tabular-nums;font-weight:600}
.track{height:8px;border-radius:4px;background:var(--ground);overflow:hidden}
.fill{display:block;height:100%;border-radius:4px;background:var(--line)}
.fill.promise{background:var(--sand)}
.fill.worst{background:var(--ink)}
.fill.open{background:repeating-linear-gradient(115deg,var(--error) 0 5px,var(--error-soft) 5px 10px)}
.finding{margin-bottom:14px;border-left-width:5px;scroll-margin-top:16px}
.finding.error{border-left-color:var(--error)}.finding.warning{border-left-color:var(--warning)}.finding.info{border-left-color:var(--info)}
.finding:focus{outline:none}
.finding.lit,.finding:focus-visible{box-shadow:0 0 0 2px var(--sand)}
.badge{margin-right:6px;vertical-align:1px}
code,pre,.sum,figcaption{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
h3 code{font-size:13.5px;margin-right:6px;color:var(--soft)}
.sum{margin:10px 0 0;overflow-wrap:anywhere}
.path{display:flex;flex-wrap:wrap;gap:4px 0;margin:10px 0 0;padding:0;list-style:none;font-size:13.5px}
.path li{display:flex;align-items:center}
.path span{padding:1px 9px;border:1px solid var(--rule);border-radius:7px;background:var(--ground)}
.path li:last-child span{font-weight:600;border-color:currentColor}
.path i{padding:0 8px;font-style:normal;color:var(--soft);font-variant-numeric:tabular-nums}
.path i::before{content:"─ "}.path i::after{content:" ▸"}
.frames{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(400px,100%),1fr));gap:12px;margin-top:14px}
.frame{min-width:0;margin:0;border:1px solid var(--rule);border-radius:9px;overflow:hidden;background:var(--ground)}
.frame figcaption{padding:5px 12px;color:var(--soft);border-bottom:1px solid var(--rule);overflow-wrap:anywhere}
.frame pre{margin:0;padding:9px 12px 3px;overflow-x:auto}
.frame p{margin:0;padding:0 12px 9px;color:var(--soft);font-size:13px}
.frame p::before{content:"▴ "}
.number{display:inline-block;min-width:30px;color:var(--soft);user-select:none}
mark{color:inherit;background:none;border-bottom:2.5px solid var(--info);padding-bottom:1px;font-weight:700}
.own mark{border-color:var(--error)}.warning .own mark{border-color:var(--warning)}.info .own mark{border-color:var(--info)}
.why{margin:12px 0 0;color:var(--soft)}
.after{margin:8px 0 0;padding-left:20px}
.fix{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 24px;margin:12px 0 0}
.fix b{color:var(--good);margin-right:4px}
.explain{margin-left:auto;color:var(--soft)}
.notes{margin-bottom:44px}
.notes summary{cursor:pointer;font-weight:600}
.notes ul{margin:10px 0 0;padding-left:20px;color:var(--soft);overflow-wrap:anywhere}
#peek{position:fixed;z-index:2;max-width:min(520px,calc(100vw - 16px));padding:12px 16px;border-radius:11px;border:1px solid var(--rule);background:var(--paper);box-shadow:0 8px 30px rgb(0 0 0/.22);pointer-events:none}
#peek[hidden]{display:none}
#peek h3:not(:first-child){margin-top:12px}
@media(max-width:560px){header,main{padding-left:16px;padding-right:16px}.canvas{max-height:none}}
@media print{.canvas{max-height:none;overflow:visible}.finding{break-inside:avoid}}
${chainStyle}`
