/**
 * Sandglass as a library: read a chain, check it, show it, plan it. Pure: it reads no files, keeps no state, and runs in a browser's worker.
 *
 * @packageDocumentation
 */
export type {
  Admission,
  Backoff,
  Breaker,
  Call,
  CallFields,
  Cancel,
  Chain,
  CheckSettings,
  Count,
  DeadlineUse,
  DeadSetting,
  Defaults,
  Does,
  Fallback,
  FallbackTier,
  Fault,
  Jitter,
  Journey,
  Latency,
  LimitMs,
  Operation,
  Probe,
  QueueOrder,
  QueueWait,
  RateStep,
  RetryBudget,
  RetryOn,
  Scenario,
  ServerLimits,
  Service,
  ServiceKind,
  ServiceQueue,
  SeveritySetting,
  Step,
} from './model/chain.js'
export type { Consequence, Diagnostic, Edit, Factor, Note, Problem, Related, Severity, Suggestion, Unit } from './model/diagnostic.js'
export type { JsonSchema } from './model/field.js'
export { chainSchema } from './model/json-schema.js'
export type { HistogramText, Linked } from './model/link.js'
export { readChain, readChainText } from './model/read-chain.js'
export type { Rule } from './model/rule.js'
export type { Origin, Place, Source, Sourced, Spot } from './model/sourced.js'
export { placeOf } from './model/sourced.js'
export { type JourneySums, type View, viewOf } from './model/view.js'
export { type Alternative, type ChainPlan, type JourneyPlan, type PlannedCall, planChain } from './plan/plan.js'
export type { PlanOptions } from './plan/plan-options.js'
export type { RuleOfThumb } from './plan/rules-of-thumb.js'
export type { WayOut } from './plan/ways-out.js'
export { type Written, writePlan } from './plan/write-plan.js'
export { type Baseline, type BaselineEntry, baselineText, type Compared, compareBaseline, readBaseline } from './report/baseline.js'
export type { ChainDrawing, DrawnEdge, DrawnNode } from './report/chain-drawing.js'
export { chainReport, drawingOf } from './report/chain-report.js'
export { type Checked, type CheckInput, checkChain } from './report/check-chain.js'
export type { CheckReport, Coverage, Hop, JourneyTimes, NotRead, Summary } from './report/check-report.js'
export { type Compiled, compiledLimits } from './report/compiled-limits.js'
export { conciseReport } from './report/concise.js'
export { dotDrawing } from './report/dot.js'
export { fingerprints } from './report/fingerprint.js'
export { githubReport } from './report/github.js'
export { htmlReport } from './report/html.js'
export { jsonReport } from './report/json.js'
export { markdownReport } from './report/markdown.js'
export type { Marked } from './report/marked-edges.js'
export { mermaidDrawing } from './report/mermaid.js'
export { type Palette, plainPalette, plainStyle, type TextStyle } from './report/palette.js'
export { planJson } from './report/plan-json.js'
export { planText } from './report/plan-text.js'
export { type RuleHelp, sarifReport } from './report/sarif.js'
export { showJson } from './report/show-json.js'
export { showTable } from './report/show-table.js'
export { simulateJson } from './report/simulate-json.js'
export { svgDrawing } from './report/svg.js'
export { textReport } from './report/text.js'
export { allRules } from './rules/all-rules.js'
export type { Adjustment } from './simulate/adjustment.js'
export { type ChosenScenario, chooseScenario } from './simulate/choose-scenario.js'
export { type Arm, type ComparedArms, type CompareResult, runCompare } from './simulate/compare.js'
export type { OnProgress } from './simulate/engine.js'
export type { Interval } from './simulate/interval.js'
export type { JourneyMeasures, OperationMeasures } from './simulate/measure.js'
export type { JourneySeries, OperationSeries, ServiceSeries } from './simulate/series.js'
export {
  type ResourceResult,
  type Simulated,
  type SimulateIntervals,
  type SimulateOptions,
  type SimulateResult,
  simulate,
} from './simulate/simulate.js'
export { runSweep, type SweepPoint, type SweepResult, type Swept } from './simulate/sweep.js'
export { type ReadSweep, readSweep, type Sweep, type SweepUnit } from './simulate/sweep-target.js'
