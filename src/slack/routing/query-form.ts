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

/** The fields that each of these forms has. */
interface Common {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly agent?: string | undefined
}

type Read<Query> = { readonly query: Query } | { readonly errors: Errors }

interface Described<Query, Values extends object, Setting> {
  /** The modal's callback id. */
  readonly id: string
  readonly schema: z.ZodType<Query>
  readonly title: string
  readonly submit: string
  /** @param setting what its inputs are made with; none where what was entered is read */
  form(query: Query, setting?: Setting): Form<Values>
  /** What was entered, or what is wrong with it. @param before what the form was opened with */
  toQuery(entered: Omit<Values, 'agent'> & AgentFilter, before: Query, today: LocalDay): Read<Query>
}

/** The form that changes the query of a message: it is prefilled from it, and what it comes to is shown on that message. */
export class QueryForm<Query extends AgentFilter, Values extends Common & object, Setting = undefined> {
  readonly #described
  readonly #metadata

  constructor(described: Described<Query, Values, Setting>) {
    this.#described = described
    this.#metadata = clickPlace.extend({ query: described.schema })
  }

  /** Pure. @param zone in words */
  view(
    origin: ViewOrigin,
    opened: ClickPlace & { readonly query: Query },
    zone: string,
    { setting, title = this.#described.title }: { readonly setting?: Setting; readonly title?: string } = {},
  ): types.ModalView {
    const { id, form, submit } = this.#described
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
    // What is asked for where no message is, as in a modal, is shown there: in no channel that it could be shared in.
    const channel = opened.responseUrl === undefined ? '' : here
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    return this.view({ team: actor.team, channel }, opened, zoneLabel(zone, new Date(now())), shown)
  }

  submission(
    services: { readonly workspaces: Workspaces; readonly now: () => EpochMs },
    answer: (interaction: Interaction, query: Query) => Promise<Answer>,
  ): SubmissionRoute {
    return {
      view: this.#described.id,
      needs: 'calls',
      handle: async (interaction, view) => {
        const { query: before, ...place } = readMetadata(view, this.#metadata)
        const read = this.#read(view, before, await getToday(interaction, services))
        return 'errors' in read ? read : { place, answer: () => answer(interaction, read.query) }
      },
    }
  }

  /** @throws {ForgedValueError} */
  #read(view: ViewPayload, before: Query, today: LocalDay): Read<Query> {
    const { form, toQuery, schema } = this.#described
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
