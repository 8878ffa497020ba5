import { z } from 'zod'
import { action, type ButtonAction, MenuAction } from '../slack/blocks/action.ts'
import type { Block } from '../slack/blocks/blocks.ts'
import type { Errors } from '../slack/forms/form.ts'
import type { ViewPayload } from '../slack/inbound/payloads.ts'
import type { FeatureRoutes, Interaction } from '../slack/routing/routes.ts'
import type { Rows } from '../store/engine/rows.ts'
import type { Tenant, TenantKey } from '../store/tenant.ts'
import type { Area } from '../store/workspaces.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs } from '../util/units.ts'

// What goes to channels by itself is planned: alerts and scheduled posts. What all kinds of it have in common (their lists, forms,
// buttons and rows on the home tab) is written once, and this is what one kind says of itself.

export const MOST_PLANNED = 50

/** For an hour, or until the next day begins in the channel's time zone. */
const muteLength = z.enum(['hour', 'day'])
export type MuteLength = z.infer<typeof muteLength>

const page = z.number().int().min(1).max(MOST_PLANNED)
/** One that is planned, and the page of the list that the button is in; 1 where it is in none. */
const ofPlanned = z.strictObject({ id: z.string().max(40), page, for: muteLength.optional() })
export type OfPlanned = z.infer<typeof ofPlanned>

type ChangeName = 'pause' | 'resume' | 'mute' | 'unmute' | 'take-over'

/** What buttons change of what is planned, by the ends of their ids, with what the audit log calls it. */
export const plannedChanges: ReadonlyMap<ChangeName, string> = new Map([
  ['pause', 'paused'],
  ['resume', 'resumed'],
  ['mute', 'muted'],
  ['unmute', 'unmuted'],
  ['take-over', 'taken over'],
])

/** What can be done with what is planned of one kind. */
export const plannedActions = (prefix: string) => {
  const ofOne = (name: string, schema = ofPlanned) => action(`${prefix}.${name}`, schema)
  return {
    actions: {
      page: action(`${prefix}s.page.`, z.strictObject({ page })),
      /** Without a page: it is in no list. */
      new: action(`${prefix}.new`, z.strictObject({ page: page.optional() })),
      edit: ofOne('edit'),
      delete: ofOne('delete'),
    },
    channel: action(`${prefix}.channel`),
    /** From the preview, where its kind has one, to the form. */
    back: action(`${prefix}.back`),
    /** A kind offers those that it says how to make. */
    changes: {
      pause: ofOne('pause'),
      resume: ofOne('resume'),
      mute: ofOne(
        'mute',
        ofPlanned.refine((value) => value.for !== undefined),
      ),
      unmute: ofOne('unmute'),
      'take-over': ofOne('take-over'),
    },
    /** What can be done about one where it stands in a single row, as on the home tab. */
    menu: new MenuAction(`${prefix}.menu`, ofPlanned),
  }
}

/** By what one kind is told from the others wherever it is shown: rights, ids and words. */
export interface PlannedInfo extends Readonly<ReturnType<typeof plannedActions>> {
  /** What its routes need, and whoever's it is. */
  readonly needs: Area
  /** Without the slash. */
  readonly command: string
  /** What one is called, and the command's word for the list, or for the form where there are none; with an s, for the list. */
  readonly word: string
  /** The same in full: a workspace has so many of them at most. */
  readonly longWord: string
  /** The form's callback id; with `.preview`, that of what is shown before it is saved. */
  readonly form: string
  readonly title: string
  /** By which an administrator takes over what somebody left who is gone. */
  readonly takeOver: ChangeName
  /** What its entries in the audit log begin with. */
  readonly audit: string
  /** After it is deleted, a sentence. */
  readonly consequence: string
  readonly list: {
    readonly title: string
    /** As many as a message's 12,000 characters hold, each with a long reason why nothing is posted. */
    readonly perPage: number
    readonly none: string
    /** @param count `3 schedules` */
    readonly counted: (count: string) => string
    readonly hint: string
  }
  readonly home: {
    /** Several kinds may stand in one section. */
    readonly section: string
    /** What says of which kind one is. */
    readonly prefix: string
    /** Where there is a choice between several. */
    readonly new: string
    /** Leads to the list of all of them. */
    readonly all: { readonly id: string; readonly text: string }
  }
}

export interface PlannedRow {
  readonly id: string
  readonly owner: string
  /** What is expected first stands at the beginning. */
  readonly at: EpochMs
  /** It has stopped by itself. */
  readonly isFailing: boolean
  /** Those that it has buttons for, beside Edit and Delete. */
  readonly changes: readonly ChangeName[]
  /** Where and what, in a line of mrkdwn. */
  readonly title: string
  /** More of it, for the list alone. */
  readonly details: readonly string[]
  /** How it is, in lines of mrkdwn. */
  readonly state: readonly string[]
  /** The same in one line, for where a message has no blocks. */
  readonly line: string
}

export interface PlannedRecord {
  readonly id: string
  readonly tenant: Tenant
  readonly channel: string
  /** The person who made it, changed it or took it over last. */
  readonly owner: string
}

export interface PlannedChange<T> {
  /** `undefined`: another button of the same list, or somebody else, has done it already. */
  change(record: T, by: ChangedBy): T | undefined | Promise<T | undefined>
  /** What is said then. @param name of what was changed, mrkdwn */
  note(name: string, record: T, by: ChangedBy): string
}

/** Who changes one, and when, in its channel's time zone. */
export interface ChangedBy {
  readonly person: string
  readonly zone: Zone
  readonly now: EpochMs
  /** Of what is muted. */
  readonly length: MuteLength
}

export interface FormSetting<T, Draft = never> {
  readonly tenant: TenantKey
  /** The one that is changed; none: it is a new one. */
  readonly record: T | undefined
  /** What was filled in before its preview, where it is shown again after that. */
  readonly draft: Draft | undefined
  /** The one that is chosen; empty: none is. */
  readonly channel: string
  /** Who fills it in. */
  readonly person: string
  /** That channel's. */
  readonly zone: Zone | undefined
  /** What was entered so far, where it is shown anew. */
  readonly entered: Readonly<Record<string, unknown>>
}

/**
 * One kind of what is planned.
 * @template Draft what a person fills in
 */
export interface PlannedKind<T extends PlannedRecord, Draft extends { readonly channel: string }> {
  readonly info: PlannedInfo
  readonly rows: Pick<Rows<T>, 'get' | 'all' | 'change' | 'delete' | 'countMalformed'>
  /** The tenant's, as they are shown. @throws {StoreError} */
  list(tenant: TenantKey): Promise<readonly PlannedRow[]>
  /** Whoever resumes or takes over one is its owner then. */
  readonly changes: { readonly [Name in ChangeName]?: PlannedChange<T> }
  /** Its name in mrkdwn, and what the audit log says of it. */
  words(record: T): Promise<{ readonly name: string; readonly detail: string }>
  /** Choices in the form that redraw it; undefined if it never does. */
  readonly choices?: readonly ButtonAction[]
  form(setting: FormSetting<T, Draft>): Promise<readonly Block[]>
  /** `incomplete`: it was submitted before the inputs were there that its choices ask for. @throws {ForgedValueError} */
  read(
    view: ViewPayload,
    tenant: TenantKey,
    person: string,
  ): Promise<{ readonly draft: Draft } | { readonly errors: Errors } | 'incomplete'>
  readonly preview?:
    | {
        readonly draft: z.ZodType<Draft>
        /** What is shown before it is saved. @param isNew whether it is no change of one */
        blocks(interaction: Interaction, draft: Draft, isNew: boolean): Promise<readonly Block[]>
      }
    | undefined
  /** What makes two of them post the same, whoever set them up: a second one is refused. */
  contentOf(one: T | Draft): unknown
  /**
   * Keeps what was filled in, and of one that is changed everything else as it is by then.
   * @returns errors below the fields, or what it is confirmed with; nothing where it was deleted meanwhile
   */
  save(
    interaction: Interaction,
    draft: Draft,
    own: { readonly id: string; readonly before: T | undefined; readonly isNew: boolean },
  ): Promise<
    | { readonly errors: Errors }
    | { readonly record: T; readonly isSame: boolean; readonly text: string }
    | undefined
  >
  readonly work?: Pick<FeatureRoutes, 'jobs' | 'background'>
}

/** What is shown of one kind, whatever its records are. */
export type PlannedList = Pick<PlannedKind<PlannedRecord, never>, 'info' | 'list'>
