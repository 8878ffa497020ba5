import type { types } from '@slack/bolt'
import { z } from 'zod'
import { MAX_LINE_LENGTH } from '../../grammar/filters.ts'
import type { Workspaces } from '../../slack/access/workspaces.ts'
import { modalWithMetadata, readMetadata, type ViewOrigin } from '../../slack/blocks/action.ts'
import { context, cut, escapeText, LIMITS, option, plain } from '../../slack/blocks/blocks.ts'
import { type Answer, type ClickPlace, clickPlace } from '../../slack/deliver/replies.ts'
import { choice, day, type Errors, Field, Form, text } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Interaction, SubmissionRoute } from '../../slack/routing/routes.ts'
import { isSearchable, LineNames, lineKey, NUMBER_DIGITS, readDigits } from '../../telephony/lines.ts'
import type { LocalDay } from '../../time/days.ts'
import { parseRange } from '../../time/ranges.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import { type ListQuery, lineDigits, listQuerySchema } from './query.ts'

export interface AgentFilter {
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
}

export async function getToday(
  { actor, tenant, channel }: Interaction,
  { workspaces, now }: { readonly workspaces: Workspaces; readonly now: () => EpochMs },
): Promise<LocalDay> {
  const { zone } = await workspaces.zone(tenant, channel, actor.person)
  return localDay(zone, new Date(now()))
}

export const agentMenuId = 'calls.agent'
export const lineMenuId = 'calls.line'

const agentOption = ({ id, name }: { readonly id: string; readonly name: string }) =>
  option(name || id, cut(id, LIMITS.optionValue))

/** Optional agent; Slack asks the app for the options. */
export const agentField = ({ agentId, agentName = '' }: AgentFilter) =>
  new Field({
    label: 'Agent',
    isOptional: true,
    schema: z.string().optional(),
    element: (): types.ExternalSelect => ({
      type: 'external_select',
      action_id: agentMenuId,
      min_query_length: 0,
      placeholder: plain('All agents', LIMITS.placeholder),
      ...(agentId === undefined ? {} : { initial_option: agentOption({ id: agentId, name: agentName }) }),
    }),
  })

const MAX_NUMBER_LENGTH = 24

export const lineOption = (number: string, names: LineNames) =>
  option(names.getDetail(number), number.slice(0, MAX_NUMBER_LENGTH))

/** Some of the account's own numbers, or all of them; Slack asks the app for the options. */
export const linesField = (initial: readonly string[], names: LineNames, max: number) =>
  new Field({
    label: 'Lines',
    isOptional: true,
    schema: z.array(z.string().min(1).max(MAX_NUMBER_LENGTH)).default([]),
    validate: (numbers) => (numbers.length > max ? `Choose up to ${max} lines.` : undefined),
    element: (): types.MultiExternalSelect => ({
      type: 'multi_external_select',
      action_id: lineMenuId,
      min_query_length: 0,
      max_selected_items: max,
      placeholder: plain('All lines', LIMITS.placeholder),
      ...(initial.length > 0 ? { initial_options: initial.map((number) => lineOption(number, names)) } : {}),
    }),
  })

/** Fields of every query form. */
interface CommonValues {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly agent?: string | undefined
}

type QueryResult<Query> = { readonly query: Query } | { readonly errors: Errors }

interface QueryFormOptions<Query, Values extends object> {
  /** The modal's callback id. */
  readonly id: string
  readonly schema: z.ZodType<Query>
  readonly title: string
  readonly submit: string
  /** @param lines undefined when the form is read */
  form(query: Query, lines?: LineNames): Form<Values>
  /** @param before the query that the form was opened with */
  toQuery(entered: Omit<Values, 'agent'> & AgentFilter, before: Query, today: LocalDay): QueryResult<Query>
}

/** Form that is prefilled with the query of a message, and shows the changed query in that message. */
export class QueryForm<Query extends AgentFilter, Values extends CommonValues> {
  readonly #options
  readonly #metadata

  constructor(options: QueryFormOptions<Query, Values>) {
    this.#options = options
    this.#metadata = clickPlace.extend({ query: options.schema })
  }

  /** @param zone the time zone's label */
  view(
    origin: ViewOrigin,
    opened: ClickPlace & { readonly query: Query },
    zone: string,
    lines: LineNames,
    title = this.#options.title,
  ): types.ModalView {
    const { id, form, submit } = this.#options
    const note = context(`Dates and times are in ${escapeText(zone)}.`)
    const blocks = [...form(opened.query, lines).inputs(), note]
    return modalWithMetadata(this.#metadata, { id, origin, metadata: opened, title, submit, blocks })
  }

  async open(
    { workspaces, now }: { readonly workspaces: Workspaces; readonly now: () => EpochMs },
    { actor, tenant, channel: here }: Interaction,
    opened: ClickPlace & { readonly query: Query },
    title?: string,
  ): Promise<types.ModalView> {
    // Without a message, as in a modal, the result is shown to the person alone, so it can't be shared in the channel.
    const channel = opened.responseUrl === undefined ? '' : here
    const [{ zone }, lines] = await Promise.all([
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    const label = zoneLabel(zone, new Date(now()))
    return this.view({ team: actor.team, channel }, opened, label, lines, title)
  }

  submission(
    services: { readonly workspaces: Workspaces; readonly now: () => EpochMs },
    answer: (interaction: Interaction, query: Query) => Promise<Answer>,
  ): SubmissionRoute {
    return {
      view: this.#options.id,
      needs: 'calls',
      handle: async (interaction, view) => {
        const { query: before, ...place } = readMetadata(view, this.#metadata)
        const read = this.#read(view, before, await getToday(interaction, services))
        return 'errors' in read ? read : { place, answer: () => answer(interaction, read.query) }
      },
    }
  }

  /** @throws {ForgedValueError} */
  #read(view: ViewPayload, before: Query, today: LocalDay): QueryResult<Query> {
    const { form, toQuery, schema } = this.#options
    const filled = form(before).read(view)
    if (filled.errors) return { errors: filled.errors }
    const { agent: agentId, ...entered } = filled.values
    const { from, to } = entered
    if (from && to && to < from) return { errors: { to: 'End date must be on or after the start date.' } }
    if (from && from > today) return { errors: { from: 'This day is in the future.' } }
    const agentName = agentId === before.agentId ? before.agentName : undefined
    const read = toQuery({ ...entered, agentId, agentName }, before, today)
    return 'errors' in read ? read : { query: parsePayload(schema, read.query, 'a filter') }
  }
}

export const resultField = (status: ListQuery['status']) =>
  choice(
    'Result',
    { any: 'All calls', answered: 'Answered', missed: 'Missed or unanswered' },
    status ?? 'any',
  )

const digitsHint = `Enter ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits.`
const isInvalidNumber = (written: string) => written.trim() !== '' && !isSearchable(readDigits(written) ?? '')

export const digitsField = (initial: string | undefined) =>
  text('Number', {
    hint: `All or part of the number called: at least ${NUMBER_DIGITS.min} digits.`,
    isOptional: true,
    initial,
  }).checked((written) => (isInvalidNumber(written) ? digitsHint : undefined))

/** Dates by the words of `/calls`. */
const presets = {
  own: 'Choose dates',
  today: 'Today',
  yesterday: 'Yesterday',
  'last 7 days': 'Last 7 days',
  'last month': 'Last month',
}

/** Returns the number of the named line that the query searches for. */
const findLine = ({ direction, number }: ListQuery, names: LineNames): string | undefined =>
  direction === 'incoming' ? names.lines.find((line) => lineKey(line.number) === number)?.number : undefined

/** One of the account's own numbers, searched as the person types; empty for all lines. */
export const lineField = (initial: string | undefined, names: LineNames) =>
  new Field({
    label: 'Line',
    hint: "Incoming calls only; outgoing calls aren't tied to a line.",
    isOptional: true,
    schema: z.string().min(1).max(MAX_LINE_LENGTH).optional(),
    element: (): types.ExternalSelect => ({
      type: 'external_select',
      action_id: lineMenuId,
      min_query_length: 0,
      placeholder: plain('All lines', LIMITS.placeholder),
      ...(initial === undefined ? {} : { initial_option: lineOption(initial, names) }),
    }),
  })

function createFilterForm(query: ListQuery, names = LineNames.none) {
  const line = findLine(query, names)
  return new Form({
    direction: choice(
      'Direction',
      { incoming: 'Incoming', outgoing: 'Outgoing', both: 'Both directions' },
      query.direction,
    ),
    status: resultField(query.status),
    dates: choice('Dates', presets, 'own'),
    from: day('Start date', query.from, { isOptional: true }),
    to: day('End date', query.to, { isOptional: true }),
    agent: agentField(query),
    line: lineField(line, names),
    number: digitsField(line === undefined ? query.number : undefined),
  })
}

export const callsFilter = new QueryForm({
  id: 'calls.filter',
  schema: listQuerySchema,
  title: 'Filter calls',
  submit: 'Show calls',
  form: createFilterForm,
  toQuery({ direction, status, dates, line, agentId, agentName, number: written, ...own }, _, today) {
    const number = written.trim() === '' ? line && lineDigits(line) : readDigits(written)
    if (line !== undefined && written.trim() !== '')
      return { errors: { number: 'Choose a line or enter a number, not both.' } }
    if (line !== undefined && direction !== 'incoming')
      return { errors: { direction: "Choose Incoming: outgoing calls aren't tied to a line." } }
    if (number === undefined && direction === 'both')
      return { errors: { direction: 'Choose one direction, or enter a number below.' } }
    const preset = dates === 'own' ? undefined : parseRange(dates, today)
    const days = preset && 'range' in preset ? preset.range : own
    const query = { direction, ...days, agentId, agentName, number, page: 1 }
    return { query: { ...query, status: status === 'any' ? undefined : status } }
  },
})
