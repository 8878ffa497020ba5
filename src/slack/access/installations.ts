import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import type { Workspace } from '../../store/tenant.ts'
import { type InstallationRecord, installationKey, NO_ADMINISTRATOR } from '../../store/workspaces.ts'
import { once } from '../../util/promises.ts'
import { askSlack, isUselessToken, SlackFailure } from '../api/slack-failure.ts'

export interface Installation {
  readonly botToken: string
  /** Id of the person who installed the app, if known. In a workspace, reinstalling doesn't change it. */
  readonly administrator: string | undefined
  /** Whether Slack's roles make administrators: an organization's token only shows the organization's roles. */
  readonly hasSlackRoles: boolean
  /** Ids of the bot, its user and the app, to recognize our own messages. */
  readonly ids: readonly string[]
  readonly scopes?: readonly string[] | undefined
  /** Address at which the app can be installed again, to grant more scopes. */
  readonly reinstallUrl?: string | undefined
}

export interface Installations {
  /** There is no fallback token. @throws {UnreadableRecordError} */
  find(workspace: Workspace): Promise<Installation | undefined>
  /** Logs what would otherwise fail at the first command. @returns a sentence, or `''` */
  findProblem(): Promise<string>
}

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

const REFUSED_TOKEN_TEXT = 'Slack rejects SLACK_BOT_TOKEN'

function isInstalledIn({ teamId, enterpriseId }: Workspace, owner: TokenOwner): boolean {
  if (!owner.is_enterprise_install) return owner.team_id === teamId
  return owner.enterprise_id !== undefined && owner.enterprise_id === enterpriseId
}

export class SingleInstallation implements Installations {
  readonly #webApi
  readonly #botToken
  readonly #log
  readonly #getOwner = once(async () => {
    const owner = await askSlack('auth.test', this.#webApi.auth.test({ token: this.#botToken }))
    return authTestSchema.parse(owner)
  })

  constructor(webApi: WebClient, botToken: string, log: Pick<Log, 'error'>) {
    this.#webApi = webApi
    this.#botToken = botToken
    this.#log = log
  }

  /** Asks Slack again unless it has accepted the token. */
  async findProblem(): Promise<string> {
    try {
      await this.#getOwner()
      return ''
    } catch (error) {
      const isRefused = error instanceof SlackFailure && isUselessToken(error.code)
      this.#log.error({ err: error }, isRefused ? REFUSED_TOKEN_TEXT : "Slack can't be reached")
      return isRefused ? REFUSED_TOKEN_TEXT : ''
    }
  }

  async find(workspace: Workspace): Promise<Installation | undefined> {
    const owner = await this.#getOwner()
    if (!isInstalledIn(workspace, owner)) return undefined
    const ids = [owner.user_id, owner.bot_id].filter((id) => id !== undefined)
    const { scopes } = owner.response_metadata
    // The installer is unknown, so Slack's roles are all there is at first, even an organization's.
    return { botToken: this.#botToken, administrator: undefined, hasSlackRoles: true, ids, scopes }
  }
}

/** Prefers a workspace's own installation to its organization's. Each has its own token. */
export class StoredInstallations implements Installations {
  readonly #records
  readonly #reinstallUrl: string

  constructor({ installations }: Pick<Store, 'installations'>, reinstallUrl: string) {
    this.#records = installations
    this.#reinstallUrl = reinstallUrl
  }

  /** An unreadable installation ends the lookup: the organization's token never stands in for it. */
  async find({ enterpriseId, teamId }: Workspace): Promise<Installation | undefined> {
    const workspaceRecord = teamId === '' ? undefined : await this.#records.get(installationKey({ teamId }))
    if (workspaceRecord) return this.#toInstallation(workspaceRecord)
    if (enterpriseId === undefined) return undefined
    const organizationRecord = await this.#records.get(installationKey({ enterpriseId }))
    return organizationRecord && this.#toInstallation(organizationRecord)
  }

  async findProblem(): Promise<string> {
    return ''
  }

  #toInstallation(record: InstallationRecord): Installation {
    const { botToken, installer, administrator, teamId, botUserId, appId, scopes } = record
    return {
      botToken,
      administrator: administrator === NO_ADMINISTRATOR ? undefined : (administrator ?? installer),
      hasSlackRoles: teamId !== undefined,
      ids: [botUserId, appId].filter((id) => id !== undefined),
      scopes,
      reinstallUrl: this.#reinstallUrl,
    }
  }
}
