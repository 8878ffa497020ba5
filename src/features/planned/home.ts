import type { PlannedList } from '../../planned/kind.ts'
import type { Services } from '../../services.ts'
import { NotAllowedError } from '../../slack/access/errors.ts'
import type { Actor } from '../../slack/access/guards.ts'
import type { Block } from '../../slack/blocks/blocks.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import type { Area } from '../../store/workspaces.ts'
import { chooseKind, type HomeRow, newPlanned, orphanBlocks, plannedBlocks } from './view.ts'

/** Reads what stands on the home tab of what goes to channels by itself, of all kinds. */
export function plannedOnHome({ guards, log }: Services, kinds: readonly PlannedList[]) {
  /** Whether the owner may not see it any more. Where Slack doesn't say, they may. */
  async function isOut({ team }: Actor, owner: string, needs: Area): Promise<boolean> {
    try {
      await guards.admit(team, owner, needs, { afresh: false })
      return false
    } catch (error) {
      if (error instanceof NotAllowedError) return true
      log.info({ err: error }, 'whether an owner may still see it is not known')
      return false
    }
  }

  /** @param may what the person may see @throws {StoreError} */
  return async (
    actor: Actor,
    may: readonly Area[],
    isConnected: boolean,
  ): Promise<{ readonly orphans: readonly Block[]; readonly planned: readonly Block[] }> => {
    const { tenant, person } = actor
    const seen = kinds.filter(({ info }) => may.includes(info.needs))
    const known = new Map<string, Promise<boolean>>()
    const isOwnerOut = (owner: string, needs: Area) => {
      const answer = known.get(`${needs} ${owner}`) ?? isOut(actor, owner, needs)
      known.set(`${needs} ${owner}`, answer)
      return answer
    }
    const lists = seen.map(async (kind) => {
      const { info } = kind
      const rows = (await kind.list(tenant)).map(async (row): Promise<HomeRow> => {
        return { ...row, info, isOwnerOut: person.isAdmin && (await isOwnerOut(row.owner, info.needs)) }
      })
      return Promise.all(rows)
    })
    const rows = (await Promise.all(lists)).flat()
    const infos = kinds.map(({ info }) => info)
    const seenInfos = seen.map(({ info }) => info)
    const planned = plannedBlocks(infos, seenInfos, rows, isConnected)
    return { orphans: person.isAdmin && isConnected ? orphanBlocks(rows) : [], planned }
  }
}

/** *New…* in a section of several kinds. */
export function newOnHome({ guards }: Services, kinds: readonly PlannedList[]): FeatureRoutes {
  return {
    actions: bind(
      { open: newPlanned },
      {
        open: {
          needs: 'member',
          async openModal({ actor, channel }, title) {
            const may = await guards.areas(actor)
            const infos = kinds.map(({ info }) => info)
            const offered = infos.filter(({ home, needs }) => home.section === title && may.includes(needs))
            return chooseKind({ team: actor.team, channel }, offered)
          },
        },
      },
    ),
  }
}
