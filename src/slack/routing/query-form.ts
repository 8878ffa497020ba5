import type { types } from '@slack/bolt'
import type { z } from 'zod'
import type { LocalDay } from '../../time/types.ts'
import { zoneLabel } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Workspaces } from '../access/workspaces.ts'
import { context, escapeText } from '../blocks/blocks.ts'
import { modalWithMetadata } from '../blocks/inputs.ts'
import { readMetadata, type ViewOrigin } from '../blocks/values.ts'
import type { Answer } from '../deliver/answer.ts'
import { type ClickPlace, clickPlace } from '../deliver/clicks.ts'
import type { Errors, Form } from '../forms/form.ts'
import { parsePayload, type ViewPayload } from '../inbound/payloads.ts'
import { type AgentFilter, getToday } from './query-command.ts'
import type { Interaction, SubmissionRoute } from './routes.ts'

/** Fields of every query form. */
interface CommonValues {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly agent?: string | undefined
}

type QueryResult<Query> = { readonly query: Query } | { readonly errors: Errors }

interface QueryFormOptions<Query, Values extends object, Setting> {
  /** The modal's callback id. */
  readonly id: string
  readonly schema: z.ZodType<Query>
  readonly title: string
  readonly submit: string
  /** @param setting choices of the inputs; undefined when the form is read */
  form(query: Query, setting?: Setting): Form<Values>
  /** @param before the query that the form was opened with */
  toQuery(entered: Omit<Values, 'agent'> & AgentFilter, before: Query, today: LocalDay): QueryResult<Query>
}

/** Form that is prefilled with the query of a message, and shows the changed query in that message. */
export class QueryForm<Query extends AgentFilter, Values extends CommonValues, Setting = undefined> {
  readonly #options
  readonly #metadata

  constructor(options: QueryFormOptions<Query, Values, Setting>) {
    this.#options = options
    this.#metadata = clickPlace.extend({ query: options.schema })
  }

  /** @param zone the time zone's label */
  view(
    origin: ViewOrigin,
    opened: ClickPlace & { readonly query: Query },
    zone: string,
    { setting, title = this.#options.title }: { readonly setting?: Setting; readonly title?: string } = {},
  ): types.ModalView {
    const { id, form, submit } = this.#options
    const note = context(`Dates and times are in ${escapeText(zone)}.`)
    const blocks = [...form(opened.query, setting).inputs(), note]
    return modalWithMetadata(this.#metadata, { id, origin, metadata: opened, title, submit, blocks })
  }

  async open(
    { workspaces, now }: { readonly workspaces: Workspaces; readonly now: () => EpochMs },
    { actor, tenant, channel: here }: Interaction,
    opened: ClickPlace & { readonly query: Query },
    shown?: { readonly setting?: Setting; readonly title?: string },
  ): Promise<types.ModalView> {
    // Without a message, as in a modal, the result is shown to the person alone, so it can't be shared in the channel.
    const channel = opened.responseUrl === undefined ? '' : here
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    return this.view({ team: actor.team, channel }, opened, zoneLabel(zone, new Date(now())), shown)
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
