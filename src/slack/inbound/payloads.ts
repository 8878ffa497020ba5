import { z } from 'zod'
import type { Workspace } from '../../store/tenant.ts'
import { objectOrEmptyList } from '../api/slack-json.ts'
import { readTeam } from '../blocks/block-team.ts'
import { type ReplyTarget, readOrigin } from '../blocks/view-metadata.ts'
import { ForgedValueError } from '../blocks/written-values.ts'

export function parsePayload<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new ForgedValueError(what, { cause: parsed.error })
  return parsed.data
}

// Schemas list only the fields that this app reads: https://docs.slack.dev/reference/interaction-payloads

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
  return enteredSchema.parse(entered ?? undefined)
})

const stateSchema = z.object({
  values: objectOrEmptyList(
    z.record(z.string(), objectOrEmptyList(z.record(z.string(), inputStateSchema))),
  ).default({}),
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

const clickPayloadSchema = z.object({
  ...interactiveFields,
  response_url: z.string().optional(),
  container: z.object({ message_ts: z.string().optional(), channel_id: z.string().optional() }).optional(),
  actions: z.tuple([actionSchema], actionSchema),
})

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

const optionsPayloadSchema = z.object({
  ...interactiveFields,
  action_id: z.string(),
  value: z.string().default(''),
})

const submissionPayloadSchema = z.object({ user: interactiveFields.user, view: viewSchema })

const responseUrlSchema = z.object({ response_url: z.string() })

/** Returns undefined if the payload can't be answered. */
export const findResponseUrl = (body: unknown): string | undefined =>
  responseUrlSchema.safeParse(body).data?.response_url

/** Who asks, and from where. */
export interface Origin {
  readonly workspace: Workspace
  readonly userId: string
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  /** The payload's `channel_name`: `directmessage`, `privategroup`, or the channel's own; empty in a view. */
  readonly channelName?: string
  /** Required to open a modal. */
  readonly triggerId?: string
  readonly modalId?: string | undefined
  /** True in a modal or on the home tab. */
  readonly isInView?: boolean
  /** The click that opened this modal. */
  readonly openedBy?: ReplyTarget | undefined
}

/** An origin as the payload names it: `findOrigin` checks that this app wrote its view. */
export interface Sender extends Omit<Origin, 'workspace' | 'modalId' | 'openedBy'> {
  readonly workspace: Workspace | undefined
  readonly view: ViewPayload | undefined
}

/** @throws {ForgedValueError} for a view that this app did not make, or if no workspace is named */
export function findOrigin({ workspace, view, ...sender }: Sender): Origin {
  if (view) {
    const modalId = view.type === 'modal' ? view.id : undefined
    return { ...sender, ...readOrigin(view), channelName: '', modalId, isInView: true }
  }
  if (!workspace) throw new ForgedValueError('a payload that names no workspace')
  return { ...sender, workspace }
}

type InteractivePayload = z.infer<z.ZodObject<typeof interactiveFields>>

function readSender({ team, enterprise, user, channel, view, trigger_id }: InteractivePayload): Sender {
  const enterpriseId = enterprise?.id ?? team?.enterprise_id ?? undefined
  return {
    workspace: team ? { enterpriseId, teamId: team.id } : undefined,
    userId: user.id,
    channel: channel?.id ?? '',
    channelName: channel?.name ?? '',
    triggerId: trigger_id,
    view: view ?? undefined,
  }
}

export interface Command {
  /** With its slash. */
  readonly command: string
  readonly text: string
  readonly responseUrl: string
  readonly origin: Origin
}

/** @throws {ForgedValueError} */
export function parseCommand(body: unknown): Command {
  const payload = parsePayload(commandPayloadSchema, body, 'command')
  const { command, text, response_url: responseUrl } = payload
  const origin = {
    workspace: { enterpriseId: payload.enterprise_id, teamId: payload.team_id },
    userId: payload.user_id,
    channel: payload.channel_id,
    channelName: payload.channel_name,
    triggerId: payload.trigger_id,
  }
  return { command, text, responseUrl, origin }
}

export interface Click {
  readonly sender: Sender
  /** The answer is shown there, unless it is a modal. */
  readonly replyTo: ReplyTarget
  readonly action: ActionPayload
  /** The modal or home tab that was clicked in. */
  readonly view: ViewPayload | undefined
}

/** @throws {ForgedValueError} */
export function parseClick(body: unknown): Click {
  const payload = parsePayload(clickPayloadSchema, body, 'click')
  const { container, response_url: responseUrl } = payload
  const [action] = payload.actions
  const block = readTeam(action.block_id)
  const sender = readSender(payload)
  // Only our own messages carry their workspace.
  const workspace = block.workspace ?? sender.workspace
  const channel = sender.channel || (container?.channel_id ?? '')
  return {
    sender: { ...sender, workspace, channel },
    replyTo: { responseUrl, channel, message: container?.message_ts ?? '', actionTs: action.action_ts },
    action: { ...action, block_id: block.blockId },
    view: sender.view,
  }
}

export interface Shortcut {
  readonly callbackId: string
  readonly sender: Sender
  readonly message: ShortcutMessage
}

/** @throws {ForgedValueError} */
export function parseShortcut(body: unknown): Shortcut {
  const payload = parsePayload(shortcutPayloadSchema, body, 'shortcut')
  const { callback_id: callbackId, message } = payload
  // In an organization, Slack may not say where a shortcut was chosen: then the message's workspace counts. `user.team_id`
  // can't replace it, because it is a fixed workspace of that person.
  const team = payload.team ?? (message.team ? { id: message.team } : undefined)
  const sender = { ...readSender({ ...payload, team }), isInView: true }
  return { callbackId, sender, message }
}

export interface OptionsRequest {
  readonly actionId: string
  readonly typed: string
  readonly sender: Sender
}

/** @throws {ForgedValueError} */
export function parseOptions(body: unknown): OptionsRequest {
  const payload = parsePayload(optionsPayloadSchema, body, 'menu')
  return { actionId: payload.action_id, typed: payload.value, sender: readSender(payload) }
}

export interface Submission {
  readonly sender: Sender
  readonly view: ViewPayload
}

/** @throws {ForgedValueError} */
export function parseSubmission(body: unknown): Submission {
  const payload = parsePayload(submissionPayloadSchema, body, 'submission')
  const { view, user } = payload
  const sender = { workspace: undefined, userId: user.id, channel: '', view }
  return { sender, view }
}
