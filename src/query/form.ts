import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../services.ts'
import { plainContext } from '../slack/blocks/blocks.ts'
import { modalWithMetadata, originSchema, readMetadata, type ViewOrigin } from '../slack/blocks/modal.ts'
import type { Answer } from '../slack/deliver/answers.ts'
import { type Entered, type Errors, type Form, readEntered } from '../slack/forms/form.ts'
import { type Click, parsePayload } from '../slack/inbound/payloads.ts'
import type { Interaction, SubmissionRoute } from '../slack/routing/routes.ts'
import { LineNames } from '../telephony/lines.ts'
import type { LocalDay } from '../time/days.ts'
import type { OpenRange } from '../time/ranges.ts'
import { zoneLabel } from '../time/zones.ts'
import { getToday } from './query.ts'

interface QueryFormOptions<Query, Values extends object> {
  /** The modal's callback id. */
  readonly id: string
  readonly schema: z.ZodType<Query>
  readonly title: string
  readonly submit: string
  /** @param lines none when the form is read */
  createForm(query: Query, lines: LineNames): Form<Values>
  /** Whether to leave out a field because of the choices so far. */
  isHidden?(id: string, entered: Entered): boolean
  /** @param before the query that the form was opened with */
  toQuery(values: Values, before: Query, today: LocalDay): QueryOrErrors<Query>
}

type QueryOrErrors<Query> = { readonly query: Query } | { readonly errors: Errors }

/** Shows the changed query in the message that the form was opened from. */
export class QueryForm<Query, Values extends OpenRange> {
  readonly #options
  readonly #metadata

  constructor(options: QueryFormOptions<Query, Values>) {
    this.#options = options
    this.#metadata = z.object({ query: options.schema })
  }

  open(services: Services, interaction: Interaction, { replyTo }: Click, query: Query) {
    const isInMessage = replyTo.responseUrl !== undefined
    // Outside a message, as in a modal, the result is shown to the person alone, so it can't be shared in the channel.
    const channel = isInMessage ? interaction.channel : ''
    const origin = { workspace: interaction.actor.workspace, channel, openedBy: replyTo }
    return this.#render(services, interaction, { origin, query, entered: {} })
  }

  /** Returns the form with the fields that the choices so far need; nothing outside a modal. */
  async redraw(services: Services, interaction: Interaction, { view }: Click) {
    if (!view) return undefined
    const origin = readMetadata(view, originSchema)
    const { query } = readMetadata(view, this.#metadata)
    return this.#render(services, interaction, { origin, query, entered: readEntered(view) })
  }

  createSubmission(
    services: Services,
    buildAnswer: (interaction: Interaction, query: Query) => Promise<Answer>,
  ): SubmissionRoute {
    const { id, schema, createForm, toQuery } = this.#options
    return {
      view: id,
      needs: 'calls',
      handle: async ({ interaction, view }) => {
        const { query: before } = readMetadata(view, this.#metadata)
        const { values, errors } = createForm(before, LineNames.none).read(view)
        if (errors) return { errors }
        const { from, to } = values
        const today = await getToday(interaction, services)
        if (from && to && to < from) return { errors: { to: 'End date must be on or after the start date.' } }
        if (from && from > today) return { errors: { from: 'This day is in the future.' } }
        const result = toQuery(values, before, today)
        if ('errors' in result) return result
        const query = parsePayload(schema, result.query, 'a filter')
        return { answer: buildAnswer(interaction, query) }
      },
    }
  }

  async #render(
    { workspaces, now }: Services,
    { actor, tenant }: Interaction,
    { origin, query, entered }: { origin: ViewOrigin; query: Query; entered: Entered },
  ): Promise<types.ModalView> {
    const { id, title, submit, createForm, isHidden } = this.#options
    const { zone } = await workspaces.findZone(tenant, origin.channel, actor.person)
    const lines = await workspaces.getLineNames(tenant)
    const inputs = createForm(query, lines).buildInputs()
    const shown = inputs.filter(({ block_id = '' }) => !isHidden?.(block_id, entered))
    const note = plainContext(`Dates and times are in ${zoneLabel(zone, new Date(now()))}.`)
    const blocks = [...shown, note]
    return modalWithMetadata(this.#metadata, { id, origin, metadata: { query }, title, submit, blocks })
  }
}
