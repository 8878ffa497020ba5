import { z } from 'zod'
import { action, MenuAction } from '../../slack/blocks/action.ts'
import type { Block } from '../../slack/blocks/blocks.ts'
import type { Errors } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { Muted } from '../../store/alerts.ts'
import type { Rows } from '../../store/engine/rows.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import type { EpochMs } from '../../util/units.ts'
import type { FormAuthor } from './place-fields.ts'

// A subscription posts to a conversation on its own: an alert or a schedule. All kinds share their list, form, menu and
// sections on the Home tab; this is the interface of one kind.

export const MAX_SUBSCRIPTIONS = 50

const pageNumber = z.number().int().min(1).max(MAX_SUBSCRIPTIONS)
/** A subscription and the page of the list that shows it; 1 outside of a list. */
const refSchema = z.strictObject({ id: z.string().max(40), page: pageNumber })
export type SubscriptionRef = z.infer<typeof refSchema>

export const subscriptionActions = (prefix: string) => ({
  page: action(`${prefix}s.page.`, z.strictObject({ page: pageNumber })),
  /** Without a page outside of a list. */
  new: action(`${prefix}.new`, z.strictObject({ page: pageNumber.optional() })),
  menu: new MenuAction(`${prefix}.menu`, refSchema),
})

/** Names, permission, ids and texts of one kind. */
export interface SubscriptionInfo {
  readonly needs: Area
  /** Without the slash. */
  readonly command: string
  /** The command's word for the form; with an s, for the list. */
  readonly word: string
  /** `This workspace has 50 missed-call alerts` */
  readonly longWord: string
  /** Callback id of the form. */
  readonly form: string
  readonly title: string
  readonly actions: ReturnType<typeof subscriptionActions>
  /** Prefix of its actions in the audit log. */
  readonly audit: string
  /** A sentence for the question before deleting. */
  readonly consequence: string
  /** A sentence about the time during which it is muted. */
  readonly meanwhile: string
  readonly list: {
    readonly title: string
    /** A message holds 12,000 characters, and each row may have a long reason why nothing is posted. */
    readonly perPage: number
    /** Text that suggests creating the first one. */
    readonly none: string
    readonly hint: string
    /** Button on the Home tab that opens the list. */
    readonly button: { readonly id: string; readonly text: string }
  }
}

export interface SubscriptionRow {
  readonly id: string
  readonly owner: string
  /** Sort key of lists. */
  readonly at: EpochMs
  readonly isFailing: boolean
  /** Muted or stopped, so that it can be turned on. */
  readonly isOff: boolean
  /** mrkdwn. */
  readonly title: string
  /** Shown in the list only. mrkdwn. */
  readonly details: readonly string[]
  /** Current status, one mrkdwn line each. */
  readonly state: readonly string[]
  /** For messages without blocks. */
  readonly line: string
}

export interface Subscription {
  readonly id: string
  readonly tenant: Tenant
  /** A channel, or the owner's own id for direct messages. */
  readonly channel: string
  /** Last saved it or turned it on; it posts with this person's permissions. */
  readonly owner: string
  readonly muted?: Muted | undefined
}

interface FormContext<T> {
  readonly tenant: TenantKey
  /** Record being edited; undefined when creating. */
  readonly record: T | undefined
  /** Preselected; empty for none. */
  readonly channel: string
}

/** @template Draft a submitted form before it is saved */
export interface SubscriptionKind<T extends Subscription, Draft extends Pick<Subscription, 'channel'>> {
  readonly info: SubscriptionInfo
  readonly rows: Pick<Rows<T>, 'get' | 'all' | 'change' | 'delete' | 'countMalformed'>
  /** @throws {StoreError} */
  list(tenant: TenantKey): Promise<readonly SubscriptionRow[]>
  /** Name in mrkdwn, and the detail for the audit log. */
  words(record: T): Promise<{ readonly name: string; readonly detail: string }>
  mute(record: T, muted: Muted): T | Promise<T>
  /** Ends muting and failures that stopped it. */
  turnOn(record: T, owner: string): T | Promise<T>
  form(context: FormContext<T>): Promise<readonly Block[]>
  /** @throws {ForgedValueError} */
  read(view: ViewPayload, author: FormAuthor): { readonly draft: Draft } | { readonly errors: Errors }
  /** Two subscriptions with the same content would post the same. */
  getContent(one: T | Draft): unknown
  /** Saves a draft and keeps what else changed in the record meanwhile; undefined if it was deleted. */
  save(
    interaction: Interaction,
    draft: Draft,
    own: { readonly id: string; readonly before: T | undefined },
  ): Promise<{ readonly record: T; readonly text: string } | undefined>
  readonly work?: Pick<FeatureRoutes, 'jobs' | 'background'>
}
