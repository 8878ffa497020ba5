import type { z } from 'zod'
import type {
  actionSchema,
  choiceSchema,
  clockMoveSchema,
  optionSchema,
  serviceModeSchema,
} from './action-schema.ts'

// What the page and its server tell each other, as JSON.

export type Option = z.infer<typeof optionSchema>
/** What a person put into an element: text, an option's value, an option from a suggestion, several, or nothing. */
export type Choice = z.infer<typeof choiceSchema>
export type Action = z.infer<typeof actionSchema>
/** How well the phone service works. */
export type ServiceMode = z.infer<typeof serviceModeSchema>
/** Where to the demo's clock is moved: an hour on, or to the next 9:00 on a weekday. */
export type ClockMove = z.infer<typeof clockMoveSchema>

/** A person or a channel. */
export interface Named {
  readonly id: string
  readonly name: string
}

export interface ShownMessage {
  readonly ts: string
  /** A channel's id, or `direct` for what the app tells this person alone. */
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

/** What one button of the tour does: as whom, where, and what they type there. */
export interface TourAction {
  readonly label: string
  readonly user: string
  readonly channel: string
  /** How well the phone service works from then on; as before where it isn't said. */
  readonly service?: ServiceMode
  /** How many calls are missed then. */
  readonly missed?: number
  readonly clock?: ClockMove
  /** One after the other. */
  readonly lines: readonly string[]
}

/** What is written into a channel's message box for a person. */
export interface Proposal {
  readonly channel: string
  readonly text: string
}

export interface TourStep {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  /** A single one has the step's title. */
  readonly actions: readonly TourAction[]
  /** A page that goes on with it, where that is the next thing to do. */
  readonly link?: { readonly label: string; readonly href: string }
}

/** Everything that one person sees. */
export interface PageState {
  /** Whose. */
  readonly user: string
  readonly workspace: string
  /** Slack shows times in the person's own time zone. */
  readonly timeZone: string
  /** By how many ms the demo's clock is ahead of the machine's. */
  readonly aheadMs: number
  readonly isInstalled: boolean
  readonly installUrl: string
  /** With the person whom one becomes there first. */
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly user: string }[]
  readonly people: readonly (Named & { readonly title: string; readonly isApp: boolean })[]
  readonly channels: readonly (Named & { readonly topic: string })[]
  readonly commands: readonly Record<'command' | 'description' | 'usageHint', string>[]
  /** In the menu of each message that everyone sees. */
  readonly shortcuts: readonly { readonly name: string; readonly callbackId: string }[]
  /** The workspace's own phone account. */
  readonly account: { readonly name: string; readonly key: string; readonly secret: string }
  readonly service: ServiceMode
  readonly tour: readonly TourStep[]
  /** What stands in a message box at first; undefined once it was sent. */
  readonly proposal: Proposal | undefined
  readonly messages: readonly ShownMessage[]
  /** Open modals, the lowest first. */
  readonly views: readonly ShownView[]
  readonly home: ShownView | undefined
}

/** A message by its `ts`, or a view by its id. */
export type SurfaceRef = { readonly message: string } | { readonly view: string }

/** Something that Slackbot can call, with what it takes. */
export interface ShownTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly fields: readonly {
    readonly name: string
    readonly description: string
    readonly isNumber: boolean
    readonly isRequired: boolean
    readonly choices: readonly string[]
  }[]
}

export interface ActionResult {
  readonly tools?: readonly ShownTool[]
  /** What Slackbot shows: the blocks, or without any the text. */
  readonly answer?: { readonly text: string; readonly blocks: readonly unknown[] }
  /** What Slack would tell the person went wrong; undefined where it went well. */
  readonly problem?: string | undefined
  /** What happened around the app, in a sentence. */
  readonly note?: string
  readonly options?: readonly Option[] | undefined
  /** Under the modal's fields, by block_id. */
  readonly errors?: Readonly<Record<string, string>> | undefined
}

export interface TrafficStep {
  readonly what: string
  readonly outcome: string
  /** Of the last one, where there were several. */
  readonly ms: number | undefined
  readonly detail: unknown
  /** How often in a row; once where it isn't said. */
  readonly times?: number
}

/** One interaction with everything that came of it. */
export interface TrafficEntry {
  readonly id: number
  readonly title: string
  /** Where the app was sent it. */
  readonly path: string
  readonly sent: unknown
  readonly acknowledged: { readonly status: number; readonly ms: number; readonly body: unknown }
  readonly steps: readonly TrafficStep[]
  /** Rules of Slack's that the app broke, and what Slack dropped without a word. */
  readonly warnings: readonly string[]
}

/** One thing that Callboard can show, in the gallery. */
export type ShownSample = {
  readonly feature: string
  readonly name: string
} & (
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
