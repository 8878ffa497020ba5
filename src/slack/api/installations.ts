import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { UndecryptableError } from '../../store/errors.ts'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'
import type { Repository } from '../../store/repository.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { TokenRotation } from './token-rotation.ts'
import { slackFailure } from './web-api.ts'

export interface Installation {
  readonly botToken: string
  /** The person whom it makes an administrator, where it is known who installed it. */
  readonly administrator: string | undefined
  /** Whether the roles that Slack tells its token make administrators: where they are the workspace's. */
  readonly hasSlackRoles: boolean
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
export class SingleInstallation implements Installations {
  readonly #webApi: WebClient
  readonly #installation: Installation
  #owner: Promise<z.infer<typeof authTest>> | undefined

  constructor(webApi: WebClient, botToken: string) {
    this.#webApi = webApi
    // Nobody is known to have installed it. So Slack's roles are all there is to begin with, even a whole organisation's.
    this.#installation = { botToken, administrator: undefined, hasSlackRoles: true }
  }

  async find(tenant: Tenant): Promise<Installation | undefined> {
    this.#owner ??= this.#findOwner()
    const owner = await this.#owner
    const isOwn = owner.is_enterprise_install
      ? owner.enterprise_id !== undefined && owner.enterprise_id === tenant.enterpriseId
      : owner.team_id === tenant.teamId
    return isOwn ? this.#installation : undefined
  }

  async #findOwner() {
    try {
      return authTest.parse(await this.#webApi.auth.test({ token: this.#installation.botToken }))
    } catch (cause) {
      this.#owner = undefined
      throw slackFailure('auth.test failed', cause)
    }
  }
}

/** Those that were made by OAuth. A workspace's own comes before its organisation's. */
export class StoredInstallations implements Installations {
  readonly #records: Repository<InstallationRecord>
  readonly #rotation: TokenRotation

  constructor(records: Repository<InstallationRecord>, rotation: TokenRotation) {
    this.#records = records
    this.#rotation = rotation
  }

  async find({ enterpriseId, teamId }: Tenant): Promise<Installation | undefined> {
    const keys = [
      ...(teamId === '' ? [] : [installationKey({ teamId })]),
      ...(enterpriseId === undefined ? [] : [installationKey({ enterpriseId })]),
    ]
    for (const key of keys) {
      const record = await this.#read(key)
      if (record === 'unreadable') return undefined
      const fresh = record && (await this.#rotation.freshen(key, record))
      if (!fresh) continue
      const { botToken, administrator = fresh.installer } = fresh
      const hasSlackRoles = fresh.teamId !== undefined
      return { botToken, administrator: administrator || undefined, hasSlackRoles }
    }
    return undefined
  }

  /** One that can't be read serves nobody until it is made anew, and no other one's token stands in for it. */
  async #read(key: TenantKey): Promise<InstallationRecord | 'unreadable' | undefined> {
    try {
      return await this.#records.get(key)
    } catch (error) {
      if (error instanceof UndecryptableError) return 'unreadable'
      throw error
    }
  }
}
