/** Colours of a picture on a light ground and on a dark one; each pair has a contrast of at least 4.5 with its ground. */
export const colourTokens = {
  light:
    '--ground:#f7f6f3;--paper:#fff;--ink:#1d2127;--soft:#5c6470;--rule:#dcdad4;--line:#8a909a;--error:#b3261e;--error-soft:#fbe9e7;--warning:#8a5300;--warning-soft:#fdf0dc;--info:#1c5d99;--info-soft:#e4f0fa;--sand:#b8862f;--good:#2e6b3a',
  dark: '--ground:#14171c;--paper:#1d2128;--ink:#e9e7e2;--soft:#a4abb6;--rule:#343a44;--line:#7c8490;--error:#ff8f85;--error-soft:#3b1f1d;--warning:#f2b654;--warning-soft:#362a15;--info:#82bdf2;--info-soft:#182c3f;--sand:#e0b15c;--good:#86cf95',
} as const

/** How a drawn chain looks, in the terms of {@link colourTokens}. */
export const chainStyle = `
.chain{font:14px/1.3 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.chain text{fill:var(--ink)}
.box{fill:var(--paper);stroke:var(--rule);stroke-width:1.25}
.client .box{stroke:var(--sand);stroke-width:1.75}
.kind{fill:none;stroke:var(--soft);stroke-width:1.3;stroke-linecap:round;stroke-linejoin:round}
.client .kind{stroke:var(--sand)}
.name{font-weight:600}
.chain .task{fill:var(--soft);font-size:12.5px}
.line{fill:none;stroke:var(--line);stroke-width:1.5}
.line.loose{stroke-dasharray:5 4}
.line.unbounded{stroke-width:2.5}
.label.unbounded text{font-weight:700}
.line.error{stroke:var(--error);stroke-width:3}
.line.warning{stroke:var(--warning);stroke-width:2.5}
.line.info{stroke:var(--info);stroke-width:2}
.head{fill:var(--line)}
.head.error{fill:var(--error)}.head.warning{fill:var(--warning)}.head.info{fill:var(--info)}
.label text{font-size:12px;text-anchor:middle;font-variant-numeric:tabular-nums}
.label rect{fill:var(--behind,var(--ground));stroke:none}
.label.found rect{fill:var(--paper);stroke-width:1.5}
.label.error rect{fill:var(--error-soft);stroke:var(--error)}
.label.warning rect{fill:var(--warning-soft);stroke:var(--warning)}
.label.info rect{fill:var(--info-soft);stroke:var(--info)}
.label circle{fill:var(--info)}.label.error circle{fill:var(--error)}.label.warning circle{fill:var(--warning)}
.chain .sign{fill:var(--paper);font-weight:700;font-size:11px}
.node.error .box{stroke:var(--error);stroke-width:2.5}.node.warning .box{stroke:var(--warning);stroke-width:2.5}.node.info .box{stroke:var(--info);stroke-width:2}
.chain .more{fill:var(--soft);font-style:italic}
.ground{fill:var(--ground)}`

/** The style of a picture that stands alone. */
export const svgStyle: string = `svg{${colourTokens.light}}@media(prefers-color-scheme:dark){svg{${colourTokens.dark}}}${chainStyle}`
