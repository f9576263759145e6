import type { Spot } from '../../model/sourced.js'
import type { Reading } from '../limits/reading.js'
import type { CallNode } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { At, Term } from '../terms/term.js'

/** How a client of a library comes into being. */
export interface ClientShape {
  /** The model's own word for this kind of client. */
  readonly kind: string
  /** What it is made on: null for the package itself, else a kind of client (`got.extend`). */
  readonly on: string | null
  /** The names that lead to what is called or constructed: `''` is the package itself, `create`, `Pool`, `Redis.Cluster`. */
  readonly made: readonly string[] | RegExp
  /** It is handed to a function that the call gets: which parameter of that it is. `pool.connect((err, client) => …)`: 1. */
  readonly handedAs?: number
  /** Types that stand for such a client where it is handed in: `AxiosInstance`. */
  readonly types?: readonly string[]
  /** Which argument holds the options. */
  readonly optionsAt: number
  /** What it is written with alone is no options, whatever it is: a key, an address. */
  readonly isFirstPlain?: boolean
  /** It is judged where it is made, also where no call is seen: pools, connections. */
  readonly isJudged?: boolean
  /** What makes it is waited for and waits for nothing else than that: what stands around it counts. */
  readonly isPromised?: boolean
}

/** What of a library waits. */
export interface CallShape {
  /** What it is called on: null for the package itself, else a kind of client. */
  readonly on: string | null
  /** The names that lead to it, joined by dots; a call between them is `()`: `pipeline().exec`. `''` calls the thing itself. */
  readonly method: RegExp
  /** Which argument holds the options of this one call; -1 where it takes none. */
  readonly optionsAt: number
  /** It runs where it is constructed, not where it is called. */
  readonly isNew?: boolean
  /** It is written before a template: ``sql`select 1` ``. */
  readonly isTag?: boolean
  /** What looks like it and waits for nothing by itself: a part of a larger query. */
  readonly unless?: (node: CallNode, client: Client | null) => boolean
}

/** A client as it was made in the code. */
export interface Client {
  readonly kind: string
  /** What makes it, as its library names it: `Pool`, `Redis.Cluster`; never as the file that imports it does. */
  readonly madeBy: string
  readonly options: Term | undefined
  readonly args: readonly Term[]
  /** The client it was made from. */
  readonly parent: Client | null
  readonly at: At
  readonly spot: Spot
  /** The same for all calls on one client. */
  readonly identity: string | null
  /** Those of the other clients that the same name may hold. */
  readonly others: readonly string[]
}

/** A method that is called on what a call gives: `.timeout(500)`, `.retry(2)`. */
export interface Following {
  readonly name: string
  readonly args: readonly Term[]
  readonly at: At
}

/** A call that a model is asked about, or a client that is judged where it is made (`method` is `new`). */
export interface Site {
  readonly model: LibraryModel
  /** The package that the code takes it from, `node:https`; null where that is not told. */
  readonly takenFrom: string | null
  readonly at: At
  readonly node: CallNode
  readonly spot: Spot
  readonly client: Client | null
  readonly method: string
  readonly args: readonly Term[]
  readonly options: Term | undefined
  readonly followedBy: readonly Following[]
  /** The installed version of the package; null where nobody knows. */
  readonly version: string | null
  /** The package whose version that is, `node` for what Node brings; null where nobody knows. */
  readonly packageName: string | null
  readonly evaluator: Evaluator
  readonly uses: ClientUses
}

/** Where a client goes, over the whole project. */
export interface ClientUses {
  /** The calls that get it as an argument or in one: the term of what is called, and the way to it (`2.connection`). */
  readonly passedTo: (identity: string) => readonly PassedTo[]
  /** Names called or read on it. */
  readonly membersOf: (identity: string) => readonly string[]
  /** The calls of something that is the same wherever it is imported, `mongoose:connect`, or of a member of a client. */
  readonly callsOf: (identity: string) => readonly CalledWith[]
  /** What is assigned to a member of it anywhere: `defaults.timeout`. */
  readonly assignedTo: (identity: string, path: string) => readonly Assigned[]
}

/** What is assigned to a member, and where. */
export interface Assigned {
  readonly value: Term
  readonly at: At
}

/** A client handed to something. */
export interface PassedTo {
  readonly callee: Term
  readonly way: string
  readonly at: At
}

/** One call of something, with what it was given. */
export interface CalledWith {
  readonly args: readonly Term[]
  readonly at: At
}

/** A call of something that leads to no library. */
export interface Lookalike {
  readonly node: CallNode
  readonly callee: Term
  readonly args: readonly Term[]
  readonly module: At['module']
  readonly evaluator: Evaluator
}

/** What is known of one library: its clients, its calls, and what its settings mean. Adding one is a file and a line in `all-models.ts`. */
export interface LibraryModel {
  /** As people call it, and as the defaults table does. */
  readonly id: string
  /** Packages it is imported from, `*` at the end for all that begin so; `global` for what needs no import. */
  readonly packages: readonly string[]
  /** Imports that lead to no file and are this library's, written by a generator: `../generated/prisma/client`. */
  readonly generated?: RegExp
  readonly clients: readonly ClientShape[]
  readonly calls: readonly CallShape[]
  /** Without a client of their own its calls ask one that the package makes, and only a function of that one limits them. */
  readonly isOneClient?: boolean
  /** It asks by the `fetch` of where it runs: what Node does says nothing of a browser, or of the edge. */
  readonly asksByFetch?: boolean
  /** True for a call that only such a library can mean, though nothing tells where its client comes from. */
  readonly looksLike?: (call: Lookalike) => boolean
  /** What ends a call and how often it is tried. */
  readonly read: (site: Site) => Reading
  /** The options of a call, where they do not always stand at one place among what it is given. */
  readonly optionsOf?: (site: Site) => Term | undefined
  /** Where it goes; null where the code does not say. */
  readonly targetOf?: (site: Site) => string | null
}
