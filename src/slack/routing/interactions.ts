import { randomUUID } from 'node:crypto'
import type { Log, RequestIds } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import type { Guards, Needs } from '../access/guards.ts'
import { type ApologyContext, apologize, type Outcome } from '../answers/error-texts.ts'
import type { Answer } from '../answers/table-support.ts'
import type { Interaction } from './routes.ts'

/** Who asks, and where. */
export interface Origin {
  readonly tenant: Tenant
  readonly userId: string
  readonly channel: string
}

/** One thing that a person did, from its arrival to its line in the log. */
export interface Visit {
  /** @throws {NotInstalledError | NotAllowedError | SlackUnavailableError} */
  admit(origin: Origin, needs: Needs): Promise<Interaction>
  /** Turns what went wrong into words for the person, and notes it. */
  apologize(error: unknown): Answer
  /** What the work answers, or the apology: rejects never. */
  orApology<T>(work: () => Promise<T>): Promise<T | Answer>
}

export interface Visits {
  /** Rejects never: what `work` could not even apologize for is in the log. */
  run(name: string, work: (visit: Visit) => Promise<void>): Promise<void>
}

export function createVisits(deps: {
  guards: Guards
  log: Log
  requestIds: RequestIds
  metrics: Pick<Metrics, 'interaction'>
}): Visits {
  const { guards, log, requestIds, metrics } = deps

  return {
    run(name, work) {
      const reference = randomUUID().slice(0, 8)
      const start = performance.now()
      let outcome: Outcome = 'ok'
      let given: ApologyContext = { reference, isAdmin: false }

      const apology = (error: unknown): Answer => {
        const { outcome: noted, message } = apologize(error, given)
        outcome = noted
        if (outcome === 'error') log.error({ err: error }, 'unexpected')
        else log.info({ outcome, cause: error instanceof Error ? error.message : 'unknown' }, 'refused')
        return { message }
      }
      const visit: Visit = {
        async admit({ tenant, userId, channel }, needs) {
          const visitor = await guards.admit(tenant, userId, needs)
          given = { ...given, isAdmin: visitor.person.isAdmin }
          const offerRetry: Interaction['offerRetry'] = (offered) => {
            given = { ...given, ...offered }
          }
          return { visitor, tenant: tenantKey(tenant), channel, offerRetry }
        },
        apologize: apology,
        async orApology(one) {
          try {
            return await one()
          } catch (error) {
            return apology(error)
          }
        },
      }
      return requestIds.run(reference, async () => {
        try {
          await work(visit)
        } catch (error) {
          // The answer itself could not be given: nobody is left to tell but the log.
          outcome = 'error'
          log.error({ err: error, interaction: name }, 'an interaction failed')
        }
        const ms = performance.now() - start
        metrics.interaction(name, outcome, ms)
        log.info({ interaction: name, outcome, ms: Math.round(ms) }, 'interaction')
      })
    },
  }
}
