import type { Services } from '../services.ts'
import type { Interaction } from '../slack/routing/routes.ts'
import type { LocalDay } from '../time/days.ts'
import { localDay } from '../time/zones.ts'

export async function getToday(
  { actor, tenant, channel }: Interaction,
  { workspaces, now }: Services,
): Promise<LocalDay> {
  const { zone } = await workspaces.zone(tenant, channel, actor.person)
  return localDay(zone, new Date(now()))
}
