import { AlertDispatcher } from '../../alerts/dispatcher.ts'
import { Watcher } from '../../alerts/watcher.ts'
import { WATCH_QUEUE } from '../../alerts/watches.ts'
import type { Services } from '../../services.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import type { AlertRecord, AlertTrouble } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { recentLabel } from '../../time/labels.ts'
import { MessageSender } from './message-sender.ts'
import { noNewsNotice } from './notice-texts.ts'
import { teller } from './teller.ts'

/** Accounts that a process looks at at the same time: a look mostly waits for the service. */
const watchedAtATime = 200

/** Missed calls are watched for, and told. */
export function watching({
  config,
  store,
  alerts,
  telephony,
  workspaces,
  guards,
  channels,
  delivery,
  notices,
  metrics,
  backgroundWebApi,
  log,
  now,
}: Services): FeatureRoutes {
  const sending = { store, guards, channels, delivery, workspaces, metrics, backgroundWebApi }
  const tell = teller({ store, workspaces, notices, metrics, now }, new MessageSender(sending))
  const dispatcher = new AlertDispatcher({ store, workspaces, tell, log, now })
  const { alertEveryMs: everyMs } = config
  const looking = { store, alerts, telephony, workspaces, metrics, log, now }
  const watcher = new Watcher({ ...looking, dispatcher, tellOwners, everyMs })
  workspaces.onConnect((tenant) => alerts.watchAgain(tenant))
  // Hours and days are those of the zone.
  workspaces.onZoneChange((tenant) => alerts.watchAgain(tenant))

  /** Each of them, and a channel of theirs where a direct message reaches none. */
  async function tellOwners(own: readonly AlertRecord[], { since, why }: AlertTrouble): Promise<void> {
    const [first] = own
    if (!first) return
    const tenant = tenantKey(first.tenant)
    const { zone } = await workspaces.zone(tenant, '')
    const others = own.map(({ owner }) => owner).filter((owner) => owner !== first.owner)
    const places = [...new Set(own.map(({ channel }) => channel))]
    const notice = noNewsNotice(places, why, recentLabel(zone, new Date(since), new Date(now())))
    const noticeId = `alerts${tenant}/${since}/${why.length}`
    await notices.tellOneOf(first.tenant, [first.owner, ...new Set(others)], first.channel, noticeId, notice)
  }

  return {
    jobs: [
      {
        queue: WATCH_QUEUE,
        concurrency: watchedAtATime,
        handle: (job, ending) => watcher.run(job, ending),
        // Whatever went wrong for a day on end: it begins anew.
        onGivenUp: (job) => watcher.beginAnew(job),
      },
    ],
    catchUps: [() => alerts.watchAll()],
  }
}
