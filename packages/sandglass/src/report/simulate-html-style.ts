import { htmlStyle } from './html-style.js'

/** What the simulation's page adds to the look of all pages: figures as cards, charts one above the other on one time axis. */
export const simulateHtmlStyle: string = `${htmlStyle}
:root{--arm1:#1d63a8;--arm2:#c2562a;--arm3:#3a7d44;--arm4:#7a4fb0;--arm5:#9a7415;--arm6:#0d7b83;--heat0:#f1efe9;--heat1:#efd9a8;--heat2:#dd9350;--heat3:#b3261e;--shade:rgb(179 38 30/.08);--shade-ink:#a3352c;--warm:rgb(92 100 112/.07)}
@media(prefers-color-scheme:dark){:root{--arm1:#6fb2f2;--arm2:#ff9a6b;--arm3:#85cf95;--arm4:#c4a2f5;--arm5:#e0b15c;--arm6:#63cdd4;--heat0:#262b33;--heat1:#5b4a2a;--heat2:#b3692f;--heat3:#f0594b;--shade:rgb(255 143 133/.11);--shade-ink:#ffa79f;--warm:rgb(164 171 182/.08)}}
.scenario{margin:0;color:var(--soft);flex-basis:100%}
.scenario b{color:var(--ink);font-weight:600}
.scenario .fault{color:var(--shade-ink);font-weight:600}
.arms{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr));gap:14px}
.arm{background:var(--paper);border:1px solid var(--rule);border-top:4px solid var(--tone);border-radius:14px;padding:14px 20px 18px}
.arm header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:2px 12px;max-width:none;padding:0}
.arm h3 i{color:var(--soft);font-style:normal;font-weight:400}
.arm .verdict.error{color:var(--error)}.arm .verdict.good{color:var(--good)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(82px,1fr));gap:12px 12px;margin:14px 0 0}
.figures div{display:flex;flex-direction:column}
.figures dt{font-size:12.5px}
.figures dd{display:block;font-size:20px;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums;line-height:1.35}
.figures small{display:block;color:var(--soft);font-size:12px;font-weight:400;letter-spacing:0}
.split{display:flex;height:10px;margin-top:16px;border-radius:5px;overflow:hidden;background:var(--ground)}
.split span{display:block}
.split .succeeded{background:var(--good)}.split .degraded{background:var(--sand)}.split .late{background:var(--warning);opacity:.75}.split .failed{background:var(--error)}.split .open{background:repeating-linear-gradient(115deg,var(--rule) 0 4px,transparent 4px 8px)}
.key{display:flex;flex-wrap:wrap;gap:2px 16px;margin:8px 0 0;padding:0;list-style:none;color:var(--soft);font-size:12.5px}
.key b{color:var(--ink);font-weight:600;font-variant-numeric:tabular-nums}
.key i{display:inline-block;width:9px;height:9px;margin-right:6px;border-radius:3px}
.key .succeeded i{background:var(--good)}.key .degraded i{background:var(--sand)}.key .late i{background:var(--warning)}.key .failed i{background:var(--error)}.key .open i{background:var(--line)}
.charts{background:var(--paper);border:1px solid var(--rule);border-radius:14px;padding:6px 20px 14px}
.pick{display:flex;flex-wrap:wrap;gap:6px 18px;color:var(--soft);font-size:13.5px}
select{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--rule);border-radius:7px;padding:2px 6px;margin-left:6px}
.panel{display:grid;grid-template-columns:186px minmax(0,1fr);gap:0 10px;padding:12px 0 2px}
.panel+.panel{border-top:1px solid var(--rule)}
.panel h3{font-size:14.5px}
.panel p{margin:1px 0 8px;color:var(--soft);font-size:12.5px;line-height:1.4}
.values{margin:0;padding:0;list-style:none;font-size:12.5px}
.values li{display:grid;grid-template-columns:12px minmax(0,1fr) auto;gap:7px;align-items:center;padding:1px 0}
.values i{height:3px;border-radius:2px}
.values span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft)}
.values b{font-variant-numeric:tabular-nums;font-weight:600}
.plot{min-width:0;min-height:150px}
.u-over{cursor:crosshair}
.u-cursor-x{border-right:1px solid var(--line)!important}
.strips{padding:0 8px 0 64px}
.strip{display:block;width:100%;height:15px;border-radius:3px;margin:0 0 4px}
.heat h4{margin:0 0 4px;font-size:12.5px;font-weight:600;display:flex;gap:7px;align-items:center}
.heat h4 i{width:12px;height:3px;border-radius:2px}
.heat .names{margin:0 0 10px;padding:0;list-style:none;font-size:12.5px;color:var(--soft)}
.heat .names li{display:flex;justify-content:space-between;gap:8px;height:19px;line-height:15px}
.heat .names span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.heat .names em{font-style:normal;font-variant-numeric:tabular-nums}
.heat .strips{margin-bottom:10px;padding-top:23px}
.scale{display:inline-block;width:86px;height:9px;border-radius:4px;vertical-align:0;background:linear-gradient(90deg,var(--heat0),var(--heat1) 40%,var(--heat2) 75%,var(--heat3))}
.wide{overflow-x:auto;background:var(--paper);border:1px solid var(--rule);border-radius:14px}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
th,td{padding:7px 14px;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
th{color:var(--soft);font-weight:500;border-bottom:1px solid var(--rule)}
tbody tr+tr td{border-top:1px solid var(--rule)}
td small{color:var(--soft)}
td.dot::before{content:"";display:inline-block;width:9px;height:9px;border-radius:3px;margin-right:9px;background:var(--tone)}
td.hot{color:var(--error);font-weight:600}
@media(max-width:760px){.panel{grid-template-columns:1fr}.strips{padding:0}.heat .strips{padding-top:0}}
@media print{.panel{break-inside:avoid}}
`
