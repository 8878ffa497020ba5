import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'
import type { Records } from '../../store/records.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import { slackFailure } from './web-api.ts'

export interface Installation {
  readonly botToken: string
}

export interface Installations {
  /**
   * The installation that serves a tenant; `undefined` where there is none: there is no fallback token, ever.
   * @throws {SlackUnavailableError | TokenRefusedError | StoreError} where it can't be told
   */
  find(tenant: Tenant): Promise<Installation | undefined>
}

const authTest = z.object({
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
})

/** One workspace: `SLACK_BOT_TOKEN`. Which workspace it belongs to is asked of Slack once, when it is first needed. */
export function singleInstallation(options: { webApi: WebClient; botToken: string }): Installations {
  const installation = { botToken: options.botToken }
  let known: Promise<z.infer<typeof authTest>> | undefined

  async function ask() {
    try {
      return authTest.parse(await options.webApi.auth.test({ token: options.botToken }))
    } catch (cause) {
      known = undefined
      throw slackFailure('auth.test failed', cause)
    }
  }

  return {
    async find(tenant) {
      known ??= ask()
      const own = await known
      const isOwn = own.is_enterprise_install
        ? own.enterprise_id !== undefined && own.enterprise_id === tenant.enterpriseId
        : own.team_id === tenant.teamId
      return isOwn ? installation : undefined
    },
  }
}

/**
 * Those that were made by OAuth. A workspace's own comes before its organisation's.
 * @param options.rotate makes an expiring token a new one
 */
export function storedInstallations(options: {
  records: Records<InstallationRecord>
  rotate: (key: TenantKey, record: InstallationRecord) => Promise<InstallationRecord>
}): Installations {
  const { records, rotate } = options
  return {
    async find({ enterpriseId, teamId }) {
      const keys = [
        ...(teamId === '' ? [] : [installationKey({ teamId })]),
        ...(enterpriseId === undefined ? [] : [installationKey({ enterpriseId })]),
      ]
      for (const key of keys) {
        const record = await records.get(key)
        if (record) return { botToken: (await rotate(key, record)).botToken }
      }
      return undefined
    },
  }
}
