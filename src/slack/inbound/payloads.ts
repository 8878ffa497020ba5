import { z } from 'zod'
import type { Workspace } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import { flag, objectOrEmptyList } from '../api/slack-json.ts'
import { ForgedValueError } from '../blocks/actions.ts'
import { readTeam } from '../blocks/block-team.ts'
import { originSchema, type ReplyTarget, readMetadata } from '../blocks/modal.ts'

/** @param what for the log @throws {ForgedValueError} */
export function parsePayload<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new ForgedValueError(what, { cause: parsed.error })
  return parsed.data
}

// Schemas list only the fields that this app reads: https://docs.slack.dev/reference/interaction-payloads

const optionSchema = z.object({ value: z.string() })

/** Returns the values of chosen options, and anything else as it came. */
const enteredSchema = z.union([
  optionSchema.transform(({ value }) => value),
  z.array(optionSchema).transform((options) => options.map(({ value }) => value)),
  z.unknown(),
])

/** Besides its type, an input's state has one field with what was entered or chosen. */
const inputStateSchema = objectOrEmptyList(z.record(z.string(), z.unknown())).transform((state) => {
  const { type: _, ...fields } = state
  const [entered] = Object.values(fields)
  // An input without a value lacks the field, or has null.
  return enteredSchema.parse(entered ?? undefined)
})

const blockStateSchema = objectOrEmptyList(z.record(z.string(), inputStateSchema))
const stateSchema = z.object({
  values: objectOrEmptyList(z.record(z.string(), blockStateSchema)).default({}),
})

const viewSchema = z.object({
  id: z.string(),
  type: z.string().default('modal'),
  callback_id: z.string().default(''),
  title: z.object({ text: z.string() }).nullish(),
  private_metadata: z.string().default(''),
  state: objectOrEmptyList(stateSchema).optional(),
})
export type ViewPayload = z.infer<typeof viewSchema>

const actionSchema = z.object({
  type: z.string().default(''),
  action_id: z.string(),
  block_id: z.string().default(''),
  action_ts: z.string().default(''),
  value: z.string().optional(),
  text: z.object({ text: z.string() }).nullish(),
  selected_option: optionSchema.extend({ text: z.object({ text: z.string() }).optional() }).nullish(),
  selected_conversation: z.string().nullish(),
  selected_options: z.array(optionSchema).nullish(),
})
/** The `block_id` is as the app wrote it, without the workspace. */
export type ActionPayload = Readonly<z.infer<typeof actionSchema>>

const interactiveFields = {
  team: z.object({ id: z.string(), enterprise_id: z.string().nullish() }).nullish(),
  enterprise: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string() }),
  trigger_id: z.string().default(''),
  channel: z.object({ id: z.string(), name: z.string().default('') }).nullish(),
  view: viewSchema.nullish(),
}

/** Who asks, and from where. */
export interface Origin {
  readonly workspace: Workspace
  readonly userId: string
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  /** The payload's `channel_name`: `directmessage`, `privategroup`, or the channel's own; empty in a view. */
  readonly channelName?: string
  readonly triggerId?: string
  readonly modalId?: string | undefined
  /** True in a modal or on the home tab. */
  readonly isInView?: boolean
  /** The click that opened this modal. */
  readonly openedBy?: ReplyTarget | undefined
}

type InteractivePayload = z.infer<z.ZodObject<typeof interactiveFields>>

/** @param messageWorkspace from the clicked message: the payload may name none @throws {ForgedValueError} if neither does */
function readOrigin(payload: InteractivePayload, messageWorkspace?: Workspace): Origin {
  const { view, team, enterprise, user, channel, trigger_id: triggerId } = payload
  const sender = { userId: user.id, triggerId }
  if (view) {
    const modalId = view.type === 'modal' ? view.id : undefined
    return { ...sender, ...readMetadata(view, originSchema), modalId, isInView: true }
  }
  const enterpriseId = enterprise?.id ?? team?.enterprise_id ?? undefined
  const workspace = messageWorkspace ?? (team && { enterpriseId, teamId: team.id })
  if (!workspace) throw new ForgedValueError('a payload that names no workspace')
  return { ...sender, workspace, channel: channel?.id ?? '', channelName: channel?.name ?? '' }
}

/** https://docs.slack.dev/interactivity/implementing-slash-commands */
const commandPayloadSchema = z.object({
  command: z.string(),
  text: z.string().default(''),
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  channel_id: z.string(),
  channel_name: z.string().default(''),
  user_id: z.string(),
  response_url: z.string(),
  trigger_id: z.string().default(''),
})

/** @throws {ForgedValueError} */
export function parseCommand(body: unknown) {
  const payload = parsePayload(commandPayloadSchema, body, 'command')
  const { command, text, response_url: responseUrl } = payload
  const origin: Origin = {
    workspace: { enterpriseId: payload.enterprise_id, teamId: payload.team_id },
    userId: payload.user_id,
    channel: payload.channel_id,
    channelName: payload.channel_name,
    triggerId: payload.trigger_id,
  }
  return { command, text, responseUrl, origin }
}
/** `command` includes the slash. */
export type Command = Readonly<ReturnType<typeof parseCommand>>

const clickPayloadSchema = z.object({
  ...interactiveFields,
  response_url: z.string().optional(),
  container: z.object({ message_ts: z.string().optional(), channel_id: z.string().optional() }).optional(),
  actions: z.tuple([actionSchema], actionSchema),
})

/** @throws {ForgedValueError} */
export function parseClick(body: unknown) {
  const payload = parsePayload(clickPayloadSchema, body, 'click')
  const { container, view, response_url: responseUrl } = payload
  const [action] = payload.actions
  const { workspace: messageWorkspace, blockId } = readTeam(action.block_id)
  const channel = payload.channel ?? { id: container?.channel_id ?? '', name: '' }
  const message = container?.message_ts ?? ''
  /** The answer is shown there, unless it is a modal. */
  const replyTo: ReplyTarget = { responseUrl, channel: channel.id, message, actionTs: action.action_ts }
  const origin = readOrigin({ ...payload, channel }, messageWorkspace)
  return { origin, replyTo, action: { ...action, block_id: blockId }, view: view ?? undefined }
}
/** `view` is the modal or home tab that was clicked in. */
export type Click = Readonly<ReturnType<typeof parseClick>>

/** @see https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
const shortcutPayloadSchema = z.object({
  ...interactiveFields,
  callback_id: z.string(),
  message: z.looseObject({
    team: z.string().nullish(),
    user: z.string().nullish(),
    bot_id: z.string().nullish(),
    app_id: z.string().nullish(),
    ts: z.string().optional(),
    thread_ts: z.string().optional(),
  }),
})
export type ShortcutMessage = z.infer<typeof shortcutPayloadSchema>['message']

/** @throws {ForgedValueError} */
export function parseShortcut(body: unknown) {
  const payload = parsePayload(shortcutPayloadSchema, body, 'shortcut')
  const { callback_id: callbackId, message } = payload
  // In an organization, Slack may not say where a shortcut was chosen: then the message's workspace counts. `user.team_id`
  // can't replace it, because it is a fixed workspace of that person.
  const messageTeam = message.team ? { id: message.team } : undefined
  const team = payload.team ?? messageTeam
  const origin: Origin = { ...readOrigin({ ...payload, team }), isInView: true }
  return { callbackId, origin, message }
}

const optionsPayloadSchema = z.object({
  ...interactiveFields,
  action_id: z.string(),
  value: z.string().default(''),
})

/** @throws {ForgedValueError} */
export function parseOptions(body: unknown) {
  const payload = parsePayload(optionsPayloadSchema, body, 'menu')
  return { actionId: payload.action_id, typed: payload.value, origin: readOrigin(payload) }
}

const submissionPayloadSchema = z.object({ ...interactiveFields, view: viewSchema })

/** @throws {ForgedValueError} */
export function parseSubmission(body: unknown) {
  const payload = parsePayload(submissionPayloadSchema, body, 'submission')
  return { origin: readOrigin(payload), view: payload.view }
}
export type Submission = Readonly<ReturnType<typeof parseSubmission>>

const eventSchema = z.looseObject({ type: z.string() })
const authorizationSchema = z.object({ enterprise_id: z.string().nullish(), is_enterprise_install: flag })

/** @see https://docs.slack.dev/apis/events-api#callback-field */
const eventPayloadSchema = z.object({
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  /** Nested once more: https://docs.slack.dev/reference/events/team_access_revoked */
  event: z.union([z.object({ event: eventSchema }).transform((outer) => outer.event), eventSchema]),
  event_time: z.number().default(0),
  authorizations: z.array(authorizationSchema).default([]),
})

/** The team is empty if the event concerns a whole organization. @throws {ForgedValueError} */
export function parseEvent(body: unknown) {
  const payload = parsePayload(eventPayloadSchema, body, 'event')
  const [authorization] = payload.authorizations
  const id = payload.team_id ?? ''
  // Slack may put the id of an organization into `team_id`.
  const isOrganizationId = id.startsWith('E')
  const teamId = isOrganizationId ? '' : id
  const organizationId = isOrganizationId ? id : undefined
  const enterpriseId = payload.enterprise_id ?? authorization?.enterprise_id ?? organizationId
  const workspace: Workspace = { enterpriseId, teamId }
  const isOrganization = authorization?.is_enterprise_install ?? teamId === ''
  const at: EpochMs = payload.event_time * 1000
  return { workspace, isOrganization, at, event: payload.event }
}
export type SlackEvent = Readonly<ReturnType<typeof parseEvent>>

/** Returns undefined if the payload can't be answered. */
export const findResponseUrl = (body: unknown): string | undefined =>
  z.object({ response_url: z.string() }).safeParse(body).data?.response_url

/** Returns whether the payload is an event of one of these types. */
export function hasEventType(body: Readonly<Record<string, unknown>>, types: ReadonlySet<string>): boolean {
  if (body['type'] !== 'event_callback') return false
  const { data } = eventPayloadSchema.safeParse(body)
  return data !== undefined && types.has(data.event.type)
}
