import type { types } from '@slack/bolt'
import { z } from 'zod'
import { joinWords, notUnderstoodText, type Word } from '../../grammar/parse-words.ts'
import type { Tenant } from '../../store/tenant.ts'
import { formatNumber } from '../../util/text.ts'
import {
  actionRow,
  type Block,
  button,
  escapeText,
  LIMITS,
  type Message,
  type MessageBlock,
  option,
  plain,
  section,
  textMessage,
} from './blocks.ts'

// Posted messages keep the ids of actions: a changed id breaks their buttons.

interface Clicked {
  readonly block_id: string
  readonly value?: string | undefined
  readonly selected_option?: { readonly value: string } | null | undefined
}

export interface Action<Value> {
  /** An action id, or a prefix of several that ends in a dot. */
  readonly id: string
  readonly chosen?: string
  /** @throws {ForgedValueError} for values that this app did not write */
  read(clicked: Clicked): Value
}

export class ButtonAction<Value = void> implements Action<Value> {
  readonly id
  readonly read

  constructor(id: string, read: (clicked: Clicked) => Value) {
    this.id = id
    this.read = read
  }

  named(name: string): ButtonAction<Value> {
    return new ButtonAction(`${this.id}${name}`, this.read)
  }

  button(text: string, value: Value, style?: 'primary' | 'danger'): types.Button {
    return button(this.id, text, value === undefined ? undefined : JSON.stringify(value), style)
  }
}

export function action(id: string): ButtonAction
export function action<Value>(id: string, schema: z.ZodType<Value>): ButtonAction<Value>
export function action<Value>(id: string, schema?: z.ZodType<Value>) {
  if (!schema) return new ButtonAction<void>(id, () => {})
  return new ButtonAction(id, ({ value, selected_option }) =>
    readValue(schema, value ?? selected_option?.value, id),
  )
}

export const menuEntry = (id: string, chosen: string): Action<void> => ({ id, chosen, read() {} })

/**
 * Stores the value in `block_id`, because option values hold only 150 characters.
 * @param shorten returns the values to try instead of one that is too long
 */
export class MenuAction<Value> {
  readonly id
  readonly #schema
  readonly #shorten

  constructor(id: string, schema: z.ZodType<Value>, shorten: (value: Value) => readonly Value[] = () => []) {
    this.id = id
    this.#schema = schema
    this.#shorten = shorten
  }

  /** @param nonce unique for each replacement of a message @throws {RangeError} if the value is too long */
  blockId(value: Value, nonce: string): string {
    for (const written of [value, ...this.#shorten(value)]) {
      const blockId = `${this.id}|${nonce}|${JSON.stringify(written)}`
      if (blockId.length <= LIMITS.blockId) return blockId
    }
    throw new RangeError(`the block_id of ${this.id} is too long`)
  }

  read({ block_id }: Clicked): Value {
    const [id, nonce = '', ...value] = block_id.split('|')
    if (id !== this.id || !/^[\w-]*$/.test(nonce)) throw new ForgedValueError(this.id)
    return readValue(this.#schema, value.join('|'), this.id)
  }

  entry(name: string): Action<Value> {
    return { id: this.id, chosen: name, read: (clicked) => this.read(clicked) }
  }
}

type Entry = readonly [action: Action<unknown>, text: string]

export const overflow = (first: Entry, ...more: readonly Entry[]): types.Overflow => ({
  type: 'overflow',
  action_id: first[0].id,
  options: [first, ...more].map(([{ chosen = '' }, text]) => option(text, chosen)),
})

export interface Pages {
  /** From 1; may be greater than `last`. */
  readonly page: number
  readonly last: number | undefined
  readonly next: number | undefined
}

export function paginate<T>(all: readonly T[], requested: number, perPage: number) {
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const page = Math.min(requested, last)
  const items = all.slice((page - 1) * perPage, page * perPage)
  return { items, page, last, next: page < last ? page + 1 : undefined }
}

function stepsFrom({ page, last, next }: Pages) {
  const steps: [name: string, text: string, page: number][] = []
  if (last !== undefined && page > last) {
    if (last > 1) steps.push(['last', 'Last page', last])
    return [...steps, ['first', 'First page', 1] as const]
  }
  if (page > 1) steps.push(['first', 'First', 1], ['previous', 'Previous', page - 1])
  if (next !== undefined) steps.push(['next', 'Next', next])
  if (next !== undefined && last !== undefined) steps.push(['last', 'Last', last])
  return steps
}

export function pagingRow<Value>(
  list: Pages & {
    /** Prefix of the buttons' ids, such as `calls.page.`. */
    readonly action: ButtonAction<Value>
    readonly valueFor: (page: number) => Value
    readonly nonce: string
  },
): Block[] {
  const { action, valueFor, nonce } = list
  const elements = stepsFrom(list).map(([name, text, page]) =>
    action.named(name).button(text, valueFor(page)),
  )
  const blockId = `${action.id.replace(/page\.$/, 'paging')}|${nonce}`
  return elements.length > 0 ? [{ type: 'actions', block_id: blockId, elements }] : []
}

export const beyondLastText = (last: number): string => `This list ends at page ${formatNumber(last)}.`

/** @param description for the model */
export const textArgument = (maxLength: number, description: string) =>
  z.string().max(maxLength).optional().describe(description)

/** Slack passes values as tool arguments: https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses */
export class ToolAction<Args extends object> {
  readonly tool
  readonly input

  constructor(tool: string, input: z.ZodObject & z.ZodType<Args>) {
    this.tool = tool
    this.input = input
  }

  /** Action ids must be unique in their block, so each button has its own. */
  row(text: string, args: Args): Block[] {
    const value = JSON.stringify(args)
    if (value.length > LIMITS.buttonValue) return []
    return [{ type: 'actions', elements: [button(`tool:${this.tool}`, text, value)] }]
  }

  menu(text: string, choices: readonly (readonly [text: string, args: Args])[]): Block[] {
    const options = choices.map(([own, args]) => option(own, JSON.stringify(args)))
    if (options.length === 0 || options.some(({ value }) => value.length > LIMITS.optionValue)) return []
    const placeholder = plain(text, LIMITS.placeholder)
    const menu = { type: 'static_select', action_id: `tool:${this.tool}`, placeholder, options } as const
    return [{ type: 'actions', elements: [menu] }]
  }

  paging(pages: Pages, argsFor: (page: number) => Args): Block[] {
    return stepsFrom(pages).flatMap(([, text, page]) => this.row(text, argsFor(page)))
  }
}

const prefix = 'command.'

export const isCommandButton = (actionId: string): boolean => actionId.startsWith(prefix)

/** Slack escapes typed text, except mentions of channels. */
const asSent = (command: string) =>
  escapeText(command).replaceAll(/&lt;(#[A-Z0-9]+(?:\|[^&]*)?)&gt;/g, '<$1>')

/** Days such as `yesterday` are relative to the click. @param id unique within its block @param command as typed */
export const commandButton = (id: string, text: string, command: string, style?: 'primary'): types.Button =>
  button(`${prefix}${id}`, text, asSent(command).slice(0, LIMITS.buttonValue), style)

export const commandAgain = (command: string): types.Button => commandButton('again', 'Try again', command)

/** Returns the text as Slack would send it; `undefined` if this app didn't write it. */
export function readCommandButton(
  value = '',
): { readonly command: string; readonly text: string } | undefined {
  const [command = '', ...words] = value.split(' ')
  return /^\/[a-z]+$/.test(command) ? { command, text: words.join(' ') } : undefined
}

export const showCallsButton = commandButton('show-calls', 'Show calls', '/calls')

/** Returns the id in `<#C123|name>`, which Slack writes for a chosen channel. */
export const channelWord = ({ key, value }: Word): string | undefined =>
  key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(value)?.[1] : undefined

/** Buttons don't render mentions. Mentions of private channels have no name (`<#C1|>`). */
export const withChannelNames = (written: string): string =>
  written.replaceAll(/<#[A-Z0-9]+(?:\|([^<>]*))?>/g, (_, name?: string) =>
    name ? `#${name}` : 'the channel',
  )

/** @param problem a sentence, not escaped @param command suggested instead, as typed */
export function problemMessage(
  problem: string,
  { command, buttons }: { readonly command?: string | undefined; readonly buttons: readonly types.Button[] },
): Message {
  const text = escapeText(withChannelNames(problem))
  if (command === undefined) return textMessage(text, buttons)
  const label = withChannelNames(command)
  const suggested = commandButton('meant', label, command, 'primary')
  return {
    text: `${text} Did you mean ${escapeText(label)}?`,
    blocks: [section(`${text} Did you mean this?`), ...actionRow([suggested, ...buttons])],
  }
}

/** @param command suggested instead, such as `/calls alerts` */
export const unknownWordsMessage = (
  words: readonly Word[],
  command: string | undefined,
  buttons: readonly types.Button[] = [],
): Message => problemMessage(notUnderstoodText(joinWords(words)), { command, buttons })

// Actions whose buttons one feature shows, and another one handles.

export const settingsAction = action('billing.settings')

export const connectAction = action('setup.connect')
export const connectButton = connectAction.button('Connect…', undefined, 'primary')
export const replaceKeyButton = connectAction.button('Replace key…', undefined, 'primary')

/** A button, menu or view contains a value that this version of the app didn't write. */
export class ForgedValueError extends Error {
  override readonly name = 'ForgedValueError'

  constructor(what: string, options?: ErrorOptions) {
    super(`not recognized: ${what}`, options)
  }
}

/** @param what for the log, without the value @throws {ForgedValueError} */
function readValue<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  try {
    return schema.parse(JSON.parse(value ?? ''))
  } catch (cause) {
    throw new ForgedValueError(what, { cause })
  }
}

const origin = z.object({
  teamId: z.string().min(1),
  // Only workspaces of an organization have one.
  enterpriseId: z.string().optional(),
  channel: z.string(),
})

/** Stored in a view's `private_metadata`, because its payload may name another workspace. */
export const writeOrigin = (team: Tenant, channel: string, more: object = {}): string =>
  JSON.stringify({ teamId: team.teamId, enterpriseId: team.enterpriseId, channel, ...more })

export interface ViewOrigin {
  readonly team: Tenant
  readonly channel: string
}

type WithMetadata = Readonly<Record<'private_metadata', string>>

export function readOrigin(view: WithMetadata): ViewOrigin {
  const { teamId, enterpriseId, channel } = readMetadata(view, origin)
  return { team: { teamId, enterpriseId }, channel }
}

export const readMetadata = <T>(view: WithMetadata, schema: z.ZodType<T>): T =>
  readValue(schema, view.private_metadata, "a view's private_metadata")

// A click on an ephemeral message of an organization-wide installation names no workspace (`"team": null`), so the block
// ids of interactive blocks begin with it: `@T123|…` or `@T123/E123|…`, at most 30 characters.

const isInteractive = (block: MessageBlock) =>
  block.type === 'actions' ||
  block.type === 'input' ||
  (block.type === 'section' && block.accessory !== undefined)

export function withTeam(message: Message, { teamId, enterpriseId }: Tenant): Message {
  const team = `@${teamId}${enterpriseId === undefined ? '' : `/${enterpriseId}`}`
  const blocks = message.blocks?.map((block, index) =>
    isInteractive(block) ? { ...block, block_id: `${team}|${block.block_id ?? index}` } : block,
  )
  return blocks ? { ...message, blocks } : message
}

export function readTeam(blockId: string): { readonly team: Tenant | undefined; readonly blockId: string } {
  const [prefix, teamId, enterpriseId] = /^@(\w+)(?:\/(\w+))?\|/.exec(blockId) ?? []
  if (prefix === undefined || teamId === undefined) return { team: undefined, blockId }
  return { team: { teamId, enterpriseId }, blockId: blockId.slice(prefix.length) }
}

export const noticeId = 'notice'

interface ModalParts {
  readonly id: string
  readonly origin?: ViewOrigin
  readonly title: string
  readonly submit?: string
  readonly close?: string
  readonly blocks: types.ModalView['blocks']
}

export const modal = ({
  id,
  origin,
  metadata,
  title,
  submit,
  close = submit === undefined ? 'Close' : 'Cancel',
  blocks,
}: ModalParts & { readonly metadata?: object }): types.ModalView => ({
  type: 'modal',
  callback_id: id,
  ...(origin && { private_metadata: writeOrigin(origin.team, origin.channel, metadata) }),
  title: plain(title, LIMITS.modalTitle),
  ...(submit !== undefined && { submit: plain(submit, LIMITS.modalTitle) }),
  close: plain(close, LIMITS.modalTitle),
  blocks,
})

/** Omits fields of the metadata that the schema doesn't have. */
export const modalWithMetadata = <Metadata extends object>(
  schema: z.ZodType<Metadata>,
  view: ModalParts & { readonly origin: ViewOrigin; readonly metadata: Metadata },
): types.ModalView => modal({ ...view, metadata: schema.parse(view.metadata) })
