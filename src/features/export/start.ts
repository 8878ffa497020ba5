import { randomUUID } from 'node:crypto'
import { withAgentName } from '../../query/directory.ts'
import { type ListQuery, listQuerySchema, toReadQueries, withSearchedDays } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { requireScope } from '../../slack/access/scopes.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { sumTotals } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import type { Exports } from './exports.ts'
import type { ExportRequest } from './record.ts'
import * as view from './view.ts'

/** Checks how many calls a person asks for, and starts their export. */
export class ExportStarter {
  readonly #services
  readonly #exports

  constructor(services: Services, exports: Exports) {
    this.#services = services
    this.#exports = exports
  }

  /** @param chosenZone by default, the zone of the conversation */
  async start(interaction: Interaction, listed: ListQuery, chosenZone?: Zone): Promise<Answer | undefined> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    requireScope(actor.installation, 'files:write')
    const zone = chosenZone ?? (await workspaces.zone(tenant, channel, actor.person)).zone
    const askedAt = now()
    const named = await withAgentName(this.#services, tenant, listed)
    const days = withSearchedDays(named, localDay(zone, new Date(askedAt)))
    // Parsed, because the order of its fields decides whether two exports are the same.
    const query = listQuerySchema.parse({ ...days, openedFrom: undefined, thread: undefined, page: 1 })
    const { workspace, person } = actor
    const request: ExportRequest = { id: randomUUID(), workspace, person: person.id, query, zone, askedAt }
    const makeOffers = () => ({ retry: view.againButton(request), request: view.describeCalls(request) })
    return offerOnFailure(makeOffers, this.#startCounted(interaction, request))
  }

  async #startCounted(
    { actor, tenant, channel }: Interaction,
    uncounted: ExportRequest,
  ): Promise<Answer | undefined> {
    const total = await this.#count(tenant, uncounted)
    const request = { ...uncounted, total }
    if (total === 0) return textAnswer(view.nothingText(request))
    if (total !== undefined && total > view.MAX_CALLS) return view.tooManyAnswer(request, total)
    const shownIn = await this.#exports.start(request, actor.installation.botToken)
    if (shownIn === undefined) return textAnswer(view.alreadyText(request))
    // In the direct message with Callboard, the announcement is the reply.
    if (shownIn === channel) return undefined
    return view.startedAnswer(request)
  }

  async #count(tenant: TenantKey, { query, zone, askedAt }: ExportRequest): Promise<number | undefined> {
    const { workspaces, telephony } = this.#services
    const account = await workspaces.account(tenant)
    const queries = toReadQueries(query, toRangeRequest(zone, query, new Date(askedAt)))
    return sumTotals(await Promise.all(queries.map((one) => telephony.count(account, one))))
  }
}
