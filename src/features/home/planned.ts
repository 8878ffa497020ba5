import { expectedAt } from '../../scheduler/due-times.ts'
import { type KindName, kindInfos } from '../../scheduler/kinds.ts'
import type { Services } from '../../services.ts'
import { NotAllowedError } from '../../slack/access/errors.ts'
import type { Actor } from '../../slack/access/guards.ts'
import type { Area } from '../../store/workspaces.ts'
import type { PlannedPart } from './planned-view.ts'

const kindNames: readonly KindName[] = ['billing', 'report']

/** Looks together what goes to channels by itself, as far as a person may see it. */
export class Planned {
  readonly #services

  constructor(services: Pick<Services, 'schedulers' | 'alerts' | 'workspaces' | 'guards' | 'log'>) {
    this.#services = services
  }

  /** @param may what the person may see @throws {StoreError} */
  async of(actor: Actor, may: readonly Area[], isConnected: boolean): Promise<PlannedPart> {
    const { schedulers, alerts, workspaces } = this.#services
    const { tenant, person } = actor
    const kinds = kindNames.filter((name) => may.includes(kindInfos[name].needs))
    const mayAlert = may.includes('calls')
    const [lists, watched, lines] = await Promise.all([
      Promise.all(kinds.map(async (kind) => ({ kind, all: await schedulers[kind].list(tenant) }))),
      mayAlert ? alerts.list(tenant) : [],
      workspaces.lineNames(tenant),
    ])
    const planned = lists
      .flatMap(({ kind, all }) => all.map((one) => ({ kind, ...one })))
      .map((one) => ({ ...one, at: expectedAt(one.schedule, one.zone).getTime() }))
      .sort((one, other) => one.at - other.at)
    const owners = [
      ...planned.map(({ kind, schedule }) => ({ owner: schedule.owner, needs: kindInfos[kind].needs })),
      ...watched.map(({ alert }) => ({ owner: alert.owner, needs: 'calls' as const })),
    ]
    const out = person.isAdmin ? await this.#outOf(actor, owners) : new Set()
    const isOut = (needs: Area, owner: string) => out.has(`${needs} ${owner}`)
    return {
      kinds,
      mayAlert,
      schedules: planned.map((one) => ({
        ...one,
        isOwnerOut: isOut(kindInfos[one.kind].needs, one.schedule.owner),
      })),
      alerts: watched.map((one) => ({ ...one, isOwnerOut: isOut('calls', one.alert.owner) })),
      lines,
      isAdmin: person.isAdmin && isConnected,
    }
  }

  /** Whoever may not see what is told in their name any more. Where Slack doesn't say, nobody. */
  async #outOf(
    { team }: Actor,
    owners: readonly { readonly owner: string; readonly needs: Area }[],
  ): Promise<ReadonlySet<string>> {
    const { guards, log } = this.#services
    const distinct = new Map(owners.map((one) => [`${one.needs} ${one.owner}`, one]))
    const isOut = async ({ owner, needs }: (typeof owners)[number]) => {
      try {
        await guards.admit(team, owner, needs, { afresh: false })
        return false
      } catch (error) {
        if (error instanceof NotAllowedError) return true
        log.info({ err: error }, 'whether an owner may still see it is not known')
        return false
      }
    }
    const answers = await Promise.all(
      [...distinct].map(async ([key, one]) => ((await isOut(one)) ? [key] : [])),
    )
    return new Set(answers.flat())
  }
}
