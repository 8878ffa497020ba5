import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import type { Workspace } from '../../store/tenant.ts'
import { type InstallationRecord, installationKey } from '../../store/workspaces.ts'
import { once } from '../../util/promises.ts'
import { askSlack, TokenRefusedError } from '../api/web-api.ts'

export interface Installation {
  readonly botToken: string
  /** Id of the person who installed the app, if known. */
  readonly administrator: string | undefined
  /** Whether Slack's roles make administrators: an organization's token only shows the organization's roles. */
  readonly hasSlackRoles: boolean
  /** Ids of the bot, its user and the app, to recognize our own messages. */
  readonly ids: readonly string[]
  /** Granted scopes, if known. */
  readonly scopes?: readonly string[] | undefined
  /** Address at which the app can be installed again, to grant more scopes. */
  readonly reinstallUrl?: string | undefined
}

export interface Installations {
  /** There is no fallback token. @throws {UnreadableRecordError} */
  find(workspace: Workspace): Promise<Installation | undefined>
  /** Logs at the start what would otherwise fail at the first command. */
  check(): Promise<void>
  /** Asks Slack again after a refusal. @returns a sentence, or `''` */
  findProblem(): Promise<string>
}

const REFUSED_TEXT = 'Slack rejects SLACK_BOT_TOKEN'

const authTestSchema = z.object({
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
  user_id: z.string().optional(),
  bot_id: z.string().optional(),
  /** The SDK adds the scopes from a header. */
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).default({}),
})

type TokenOwner = z.infer<typeof authTestSchema>

function isOfOwner({ teamId, enterpriseId }: Workspace, owner: TokenOwner): boolean {
  if (!owner.is_enterprise_install) return owner.team_id === teamId
  return owner.enterprise_id !== undefined && owner.enterprise_id === enterpriseId
}

/** Serves the one workspace of `SLACK_BOT_TOKEN`. */
export class SingleInstallation implements Installations {
  /** Whether Slack refused the token when it was asked last. */
  #isRefused = false
  readonly #botToken
  readonly #log
  readonly #getOwner: () => Promise<TokenOwner>

  constructor(webApi: WebClient, botToken: string, log: Pick<Log, 'error'>) {
    this.#botToken = botToken
    this.#log = log
    this.#getOwner = once(async () => {
      try {
        const owner = await askSlack('auth.test', webApi.auth.test({ token: botToken }))
        this.#isRefused = false
        return authTestSchema.parse(owner)
      } catch (error) {
        if (error instanceof TokenRefusedError) this.#isRefused = true
        throw error
      }
    })
  }

  async check(): Promise<void> {
    try {
      await this.#getOwner()
    } catch (error) {
      const isRefused = error instanceof TokenRefusedError
      this.#log.error({ err: error }, isRefused ? REFUSED_TEXT : "Slack can't be reached")
    }
  }

  async findProblem(): Promise<string> {
    if (this.#isRefused) await this.check()
    return this.#isRefused ? REFUSED_TEXT : ''
  }

  async find(workspace: Workspace): Promise<Installation | undefined> {
    const owner = await this.#getOwner()
    if (!isOfOwner(workspace, owner)) return undefined
    const ids = [owner.user_id, owner.bot_id].filter((id) => id !== undefined)
    const { scopes } = owner.response_metadata
    // The installer is unknown, so Slack's roles are all there is at first, even an organization's.
    return { botToken: this.#botToken, administrator: undefined, hasSlackRoles: true, ids, scopes }
  }
}

/** Prefers a workspace's own installation to its organization's. */
export class StoredInstallations implements Installations {
  readonly #records
  readonly #reinstallUrl: string

  constructor({ installations }: Pick<Store, 'installations'>, reinstallUrl: string) {
    this.#records = installations
    this.#reinstallUrl = reinstallUrl
  }

  /** An unreadable installation ends the lookup: the organization's token never stands in for it. */
  async find({ enterpriseId, teamId }: Workspace): Promise<Installation | undefined> {
    const own = teamId === '' ? undefined : await this.#records.get(installationKey({ teamId }))
    if (own) return this.#toInstallation(own)
    if (enterpriseId === undefined) return undefined
    const shared = await this.#records.get(installationKey({ enterpriseId }))
    return shared && this.#toInstallation(shared)
  }

  /** Each workspace has its own token. */
  async check(): Promise<void> {}

  async findProblem(): Promise<string> {
    return ''
  }

  #toInstallation(record: InstallationRecord): Installation {
    const { botToken, installer, administrator, teamId, botUserId, appId, scopes } = record
    return {
      botToken,
      // An empty administrator is none.
      administrator: (administrator ?? installer) || undefined,
      hasSlackRoles: teamId !== undefined,
      ids: [botUserId, appId].filter((id) => id !== undefined),
      scopes,
      reinstallUrl: this.#reinstallUrl,
    }
  }
}
