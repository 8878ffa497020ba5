import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { findSlackCode } from '../../slack/api/slack-failure.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { epochMsSchema } from '../../store/times.ts'
import { mapConcurrent } from '../../util/promises.ts'
import { dayMs, type EpochMs } from '../../util/units.ts'
import { deleteInstallation } from './deletion.ts'

/** https://docs.slack.dev/reference/methods/auth.test#errors: the app was removed, or the workspace deleted. */
const REMOVED_CODES = ['account_inactive', 'token_revoked']
const CHECK_CONCURRENCY = 5

/** `refused`: when they were installed, by the keys of installations whose tokens Slack refused a day ago. */
const dailyCheckSchema = z.object({ refused: z.record(z.string(), epochMsSchema).default({}) })
const checks = { name: 'token-checks', schema: dailyCheckSchema }
type DailyCheck = z.infer<typeof dailyCheckSchema>

/** Does nothing if a check is planned for this day. */
async function planCheck({ jobs }: Services, at: EpochMs, check: DailyCheck): Promise<void> {
  await jobs.enqueue(checks, `day ${Math.floor(at / dayMs)}`, check, new Date(at))
}

async function isRefused({ backgroundWebApi }: Services, token: string): Promise<boolean> {
  try {
    await backgroundWebApi.auth.test({ token })
    return false
  } catch (error) {
    return REMOVED_CODES.includes(findSlackCode(error) ?? '')
  }
}

/** Deletes an installation at the second daily refusal of its token, and plans the next check. */
async function runCheck(services: Services, { data }: Job<DailyCheck>, ending: AbortSignal): Promise<void> {
  const { store, log, now } = services
  const { installations } = store
  const refused: Record<string, EpochMs> = {}
  const keys = await Array.fromAsync(installations.tenants())
  await mapConcurrent(keys, CHECK_CONCURRENCY, async (key) => {
    ending.throwIfAborted()
    const record = await whereReadable(installations.get(key))
    if (!record || !(await isRefused(services, record.botToken))) return
    const isFirstRefusal = data.refused[key] !== record.installedAt
    if (isFirstRefusal) {
      refused[key] = record.installedAt
      return
    }
    // The app may have been installed again since the token was read.
    const latest = await whereReadable(installations.get(key))
    if (latest?.botToken !== record.botToken) return
    log.warn({ team: record.teamId, enterprise: record.enterpriseId }, 'Slack has refused a token for a day')
    await deleteInstallation(services, record)
  })
  await planCheck(services, now() + dayMs, { refused })
}

/** Finds installations that ended while Callboard was down: Slack doesn't report those again. */
export function tokenChecks(services: Services): FeatureRoutes {
  if (!services.config.slack.oauth) return {}
  return {
    jobs: [{ queue: checks, handle: (job: Job<DailyCheck>, ending) => runCheck(services, job, ending) }],
    background: [() => planCheck(services, services.now(), { refused: {} })],
  }
}
