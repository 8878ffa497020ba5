import type { z } from 'zod'
import type {
  actionSchema,
  choiceSchema,
  clockMoveSchema,
  optionSchema,
  serviceModeSchema,
} from './action-schema.ts'

// JSON between the page and its server.

export type Option = z.infer<typeof optionSchema>
/** Value of an element: text, an option's value, a suggested option, several of them, or nothing. */
export type Choice = z.infer<typeof choiceSchema>
export type Action = z.infer<typeof actionSchema>
/** State of the phone service. */
export type ServiceMode = z.infer<typeof serviceModeSchema>
/** Moves the demo's clock by an hour, or to the next 9:00 on a weekday. */
type ClockMove = z.infer<typeof clockMoveSchema>

/** A person or a channel. */
export interface Named {
  readonly id: string
  readonly name: string
}

export interface ShownMessage {
  readonly ts: string
  /** A channel's id, or `direct` for direct messages from the app. */
  readonly channel: string
  /** A person's id. */
  readonly author: string
  readonly isOnlyForYou: boolean
  readonly text: string
  readonly blocks: readonly unknown[]
  readonly files: readonly { readonly id: string; readonly name: string; readonly bytes: number }[]
}

export interface ShownView {
  readonly id: string
  /** Changes with every update. */
  readonly hash: string
  readonly title: string
  readonly submit: string | undefined
  readonly close: string
  readonly blocks: readonly unknown[]
}

/** A button of the tour: it switches to a person and channel, and types commands there. */
export interface TourAction {
  readonly label: string
  readonly user: string
  readonly channel: string
  /** New state of the phone service; unchanged by default. */
  readonly service?: ServiceMode
  /** Number of calls that are missed then. */
  readonly missed?: number
  readonly clock?: ClockMove
  /** Typed one after another. */
  readonly lines: readonly string[]
}

/** Proposed text of a channel's message box. */
export interface Proposal {
  readonly channel: string
  readonly text: string
}

export interface TourStep {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  /** The first one starts the step. */
  readonly actions: readonly TourAction[]
  /** Address of a page that starts the step. */
  readonly link?: string
}

/** Everything that a person sees. */
export interface PageState {
  /** The person's id. */
  readonly user: string
  readonly workspace: string
  /** Slack shows times in the person's own time zone. */
  readonly timeZone: string
  /** Time zone in which the team works. */
  readonly teamZone: string
  /** Offset of the demo's clock from the machine's. */
  readonly aheadMs: number
  readonly isInstalled: boolean
  readonly installUrl: string
  /** Workspaces, each with the person to switch to first. */
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly user: string }[]
  readonly people: readonly (Named & { readonly title: string; readonly isApp: boolean })[]
  readonly channels: readonly (Named & { readonly topic: string })[]
  readonly commands: readonly Record<'command' | 'description' | 'usageHint', string>[]
  readonly subcommands: readonly string[]
  /** Entries in the menu of public messages. */
  readonly shortcuts: readonly { readonly name: string; readonly callbackId: string }[]
  /** The workspace's own phone account. */
  readonly account: { readonly name: string; readonly key: string; readonly secret: string }
  readonly service: ServiceMode
  readonly tour: readonly TourStep[]
  /** Initial text of a message box; undefined once sent. */
  readonly proposal: Proposal | undefined
  readonly messages: readonly ShownMessage[]
  /** Open modals, the lowest first. */
  readonly views: readonly ShownView[]
  readonly home: ShownView | undefined
}

/** A message by its `ts`, or a view by its id. */
export type SurfaceRef = { readonly message: string } | { readonly view: string }

export interface ActionResult {
  /** Slackbot's answer: its blocks, or its text without any. */
  readonly answer?: { readonly text: string; readonly blocks: readonly unknown[] }
  /** Error that Slack would show; undefined if there is none. */
  readonly problem?: string | undefined
  /** Sentence about the result, if it isn't in a message. */
  readonly note?: string
  readonly options?: readonly Option[] | undefined
  /** Errors under the modal's fields, by block_id. */
  readonly errors?: Readonly<Record<string, string>> | undefined
}

export interface TrafficStep {
  readonly what: string
  readonly outcome: string
  /** Duration; the last one's of several. */
  readonly ms: number | undefined
  readonly detail: unknown
  /** Consecutive repetitions; 1 by default. */
  readonly times?: number
}

/** An interaction with everything it caused. */
export interface TrafficEntry {
  readonly id: number
  readonly title: string
  /** Path of the app's endpoint. */
  readonly path: string
  readonly sent: unknown
  readonly acknowledged: { readonly status: number; readonly ms: number; readonly body: unknown }
  readonly steps: readonly TrafficStep[]
  /** Slack's rules that the app broke, and what Slack dropped silently. */
  readonly warnings: readonly string[]
}

/** A sample of the gallery. */
export type ShownSample = { readonly feature: string; readonly name: string } & (
  | ({ readonly kind: 'modal'; readonly errors: Readonly<Record<string, string>> } & Pick<
      ShownView,
      'title' | 'submit' | 'close' | 'blocks'
    >)
  | { readonly kind: 'message' | 'home'; readonly blocks: readonly unknown[] }
  | { readonly kind: 'page'; readonly html: string }
)

export interface GalleryState {
  /** Fraction of the samples that are recorded; complete at 1. */
  readonly progress: number
  readonly people: readonly Named[]
  readonly channels: readonly Named[]
  readonly samples: readonly ShownSample[]
}
