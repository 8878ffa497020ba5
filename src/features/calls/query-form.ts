import type { types } from '@slack/bolt'
import { z } from 'zod'
import { AGENT_LENGTHS, MAX_LINE_LENGTH } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import { LIMITS, noteBlock, type Option, option, plain } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { readMetadata } from '../../slack/blocks/view-metadata.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { choice, day, text } from '../../slack/forms/fields.ts'
import { type Errors, Field, Form } from '../../slack/forms/form.ts'
import { type Click, parsePayload } from '../../slack/inbound/payloads.ts'
import type { Interaction, OptionsRoute, SubmissionRoute } from '../../slack/routing/routes.ts'
import { agentsLike } from '../../telephony/account-cache.ts'
import {
  hasDigits,
  isSearchable,
  LineNames,
  lineKey,
  NUMBER_DIGITS,
  readDigits,
} from '../../telephony/lines.ts'
import type { LocalDay } from '../../time/days.ts'
import { type OpenRange, parseRange } from '../../time/ranges.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { type ListQuery, lineDigits, listQuerySchema } from './query.ts'

export type AgentFilter = Pick<ListQuery, 'agentId' | 'agentName'>

export async function getToday(
  { actor, tenant, channel }: Interaction,
  { workspaces, now }: Services,
): Promise<LocalDay> {
  const { zone } = await workspaces.zone(tenant, channel, actor.person)
  return localDay(zone, new Date(now()))
}

const AGENT_MENU = 'calls.agent'
const LINE_MENU = 'calls.line'

/** An id may be longer than a button or menu can carry. */
const agentOption = (id: string, name: string) => option(name || id, id.slice(0, AGENT_LENGTHS.id))

const lineOption = (number: string, names: LineNames) =>
  option(names.getDetail(number), number.slice(0, MAX_LINE_LENGTH))

export const menuOptions = ({ agentList, lineList, workspaces }: Services): readonly OptionsRoute[] => [
  {
    action: AGENT_MENU,
    needs: 'calls',
    async handle({ interaction: { tenant }, typed }) {
      const agents = await agentList.list(await workspaces.account(tenant))
      return agentsLike(agents, typed)
        .slice(0, LIMITS.options)
        .map(({ id, name }) => agentOption(id, name))
    },
  },
  {
    action: LINE_MENU,
    needs: 'calls',
    async handle({ interaction: { tenant }, typed }) {
      const names = await workspaces.lineNames(tenant)
      const digits = readDigits(typed)
      const matches = (number: string) =>
        names.getDetail(number).toLowerCase().includes(typed.toLowerCase()) ||
        (digits !== undefined && hasDigits(number, digits))
      return names
        .mergeNumbers(await lineList.numbers(await workspaces.account(tenant)))
        .filter(matches)
        .slice(0, LIMITS.options)
        .map((number) => lineOption(number, names))
    },
  },
]

/** Menu whose options `menuOptions` loads. */
const searchMenu = (id: string, placeholder: string, initial: Option | undefined): types.ExternalSelect => ({
  type: 'external_select',
  action_id: id,
  min_query_length: 0,
  placeholder: plain(placeholder, LIMITS.placeholder),
  ...(initial && { initial_option: initial }),
})

export function agentField({ agentId, agentName = '' }: AgentFilter) {
  const initial = agentId === undefined ? undefined : agentOption(agentId, agentName)
  return new Field({
    label: 'Agent',
    isOptional: true,
    schema: z.string().optional(),
    element: () => searchMenu(AGENT_MENU, 'All agents', initial),
  })
}

const lineNumberSchema = z.string().min(1).max(MAX_LINE_LENGTH)

export function lineField(number: string | undefined, names: LineNames) {
  const initial = number === undefined ? undefined : lineOption(number, names)
  return new Field({
    label: 'Line',
    hint: "Incoming calls only; outgoing calls aren't tied to a line.",
    isOptional: true,
    schema: lineNumberSchema.optional(),
    element: () => searchMenu(LINE_MENU, 'All lines', initial),
  })
}

export const linesField = (initial: readonly string[], names: LineNames, max: number) =>
  new Field({
    label: 'Lines',
    isOptional: true,
    schema: z.array(lineNumberSchema).default([]),
    validate: (numbers) => (numbers.length > max ? `Choose up to ${max} lines.` : undefined),
    element: (): types.MultiExternalSelect => ({
      ...searchMenu(LINE_MENU, 'All lines', undefined),
      type: 'multi_external_select',
      max_selected_items: max,
      ...(initial.length > 0 && { initial_options: initial.map((number) => lineOption(number, names)) }),
    }),
  })

export const digitsField = (initial: string | undefined) =>
  text('Number', {
    hint: `All or part of the number called: at least ${NUMBER_DIGITS.min} digits.`,
    isOptional: true,
    initial,
  }).checked((written) =>
    written === '' || isSearchable(readDigits(written) ?? '')
      ? undefined
      : `Enter ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits.`,
  )

export const resultField = (status: ListQuery['status']) =>
  choice(
    'Result',
    { any: 'All calls', answered: 'Answered', missed: 'Missed or unanswered' },
    status ?? 'any',
  )

interface CommonValues extends OpenRange {
  readonly agent?: string | undefined
}

interface QueryFormOptions<Query, Values extends object> {
  /** The modal's callback id. */
  readonly id: string
  readonly schema: z.ZodType<Query>
  readonly title: string
  readonly submit: string
  /** @param lines none when the form is read */
  form(query: Query, lines: LineNames): Form<Values>
  /** @param before the query that the form was opened with */
  toQuery(
    entered: Omit<Values, 'agent'> & AgentFilter,
    before: Query,
    today: LocalDay,
  ): { readonly query: Query } | { readonly errors: Errors }
}

/** Shows the changed query in the message that the form was opened from. */
export class QueryForm<Query extends AgentFilter, Values extends CommonValues> {
  readonly #options
  readonly #metadata

  constructor(options: QueryFormOptions<Query, Values>) {
    this.#options = options
    this.#metadata = z.object({ query: options.schema })
  }

  async open(
    { workspaces, now }: Services,
    { actor, tenant, channel: here }: Interaction,
    { replyTo }: Click,
    query: Query,
    title = this.#options.title,
  ): Promise<types.ModalView> {
    const { id, submit, form } = this.#options
    // Without a message, as in a modal, the result is shown to the person alone, so it can't be shared in the channel.
    const channel = replyTo.responseUrl === undefined ? '' : here
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    const inputs = form(query, await workspaces.lineNames(tenant)).inputs()
    const blocks = [...inputs, noteBlock(`Dates and times are in ${zoneLabel(zone, new Date(now()))}.`)]
    const origin = { team: actor.team, channel, openedBy: replyTo }
    return modalWithMetadata(this.#metadata, { id, origin, metadata: { query }, title, submit, blocks })
  }

  submission(
    services: Services,
    answer: (interaction: Interaction, query: Query) => Promise<Answer>,
  ): SubmissionRoute {
    const { id, schema, form, toQuery } = this.#options
    return {
      view: id,
      needs: 'calls',
      handle: async ({ interaction, view }) => {
        const { query: before } = readMetadata(view, this.#metadata)
        const { values, errors } = form(before, LineNames.none).read(view)
        if (errors) return { errors }
        const { agent: agentId, ...entered } = values
        const { from, to } = entered
        const today = await getToday(interaction, services)
        if (from && to && to < from) return { errors: { to: 'End date must be on or after the start date.' } }
        if (from && from > today) return { errors: { from: 'This day is in the future.' } }
        const agentName = agentId === before.agentId ? before.agentName : undefined
        const result = toQuery({ ...entered, agentId, agentName }, before, today)
        if ('errors' in result) return result
        const query = parsePayload(schema, result.query, 'a filter')
        return { answer: answer(interaction, query) }
      },
    }
  }
}

/** The keys are words of `/calls`; `own` uses the start and end date. */
const presets = {
  own: 'Choose dates',
  today: 'Today',
  yesterday: 'Yesterday',
  'last 7 days': 'Last 7 days',
  'last month': 'Last month',
}

const findLine = ({ direction, number }: ListQuery, names: LineNames): string | undefined =>
  direction === 'incoming' ? names.lines.find((line) => lineKey(line.number) === number)?.number : undefined

function createFilterForm(query: ListQuery, names: LineNames) {
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
  toQuery({ status, dates, line, number: written, ...entered }, _, today) {
    const number = readDigits(written) ?? (line && lineDigits(line))
    if (line !== undefined && written !== '')
      return { errors: { number: 'Choose a line or enter a number, not both.' } }
    if (line !== undefined && entered.direction !== 'incoming')
      return { errors: { direction: "Choose Incoming: outgoing calls aren't tied to a line." } }
    if (number === undefined && entered.direction === 'both')
      return { errors: { direction: 'Choose one direction, or enter a number below.' } }
    const preset = dates === 'own' ? undefined : parseRange(dates, today)
    const days = preset && 'range' in preset ? preset.range : {}
    return { query: { ...entered, ...days, status: status === 'any' ? undefined : status, number, page: 1 } }
  },
})
