import type { ServerResponse } from 'node:http'
import { type Installation, type InstallationStore, InstallProvider, MissingCodeError } from '@slack/oauth'
import type { OAuthConfig } from '../../config/config.ts'
import type { GetHandler } from '../../http/http-server.ts'
import { slackLogger } from '../../log.ts'
import type { Services } from '../../services.ts'
import { backgroundTimeoutMs } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { type InstallationRecord, installationKey } from '../../store/workspaces.ts'
import type { EpochMs } from '../../util/units.ts'
import { sendPage, setPageHeaders } from './html-page.ts'
import { StateStore, UsedStateError } from './state-store.ts'
import {
  aboutPage,
  addToWorkspacesUrl,
  describeFailedInstall,
  describeInstall,
  organizationWelcomeText,
  type ShortPage,
  shortPage,
  welcomeText,
} from './words.ts'

/** https://docs.slack.dev/reference/scopes/mcp.connect */
const slackbotScope = 'mcp:connect'

/** The same as in `manifest.yml`. */
export const botScopes = [
  'commands',
  'chat:write',
  'channels:join',
  'channels:read',
  'files:write',
  'groups:read',
  'users:read',
  slackbotScope,
]

function toInstallationRecord(installation: Installation, now: EpochMs): InstallationRecord {
  const { bot, team, enterprise, isEnterpriseInstall } = installation
  if (!bot) throw new TypeError('an installation without a bot')
  if (bot.expiresAt !== undefined)
    throw new TypeError('the token expires: Callboard needs a Slack app without token rotation')
  return {
    enterpriseId: enterprise?.id,
    teamId: isEnterpriseInstall ? undefined : team?.id,
    botToken: bot.token,
    botUserId: bot.userId,
    appId: installation.appId,
    scopes: bot.scopes,
    installer: installation.user.id,
    installedAt: now,
  }
}

type AsyncHandler = (...exchange: Parameters<GetHandler>) => Promise<void>

/** Stores installations, and sends next steps to the person who installed the app. */
class InstalledApps implements InstallationStore {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** @throws {StoreError} */
  async storeInstallation(installation: Installation): Promise<void> {
    const { config, store, log, now } = this.#services
    const record = await this.#keepAdministrator(toInstallationRecord(installation, now()))
    const { teamId: team, enterpriseId: enterprise, installer: person } = record
    await store.installations.set(record, installationKey(record))
    log.info({ audit: true, action: 'install', team, enterprise, person }, 'audit')
    const addUrl = addToWorkspacesUrl(installation, config.slack.apiUrl)
    await this.#sendWelcome(record, addUrl).catch((error: unknown) =>
      log.error({ err: error }, 'welcome message failed'),
    )
  }

  async fetchInstallation(): Promise<never> {
    throw new TypeError('not used: the app looks up installations itself')
  }

  /**
   * Keeps the administrator of the installation before, because a workspace may let every member reinstall apps. Only
   * admins can install for an organization. Fails closed: if the record is unreadable, no administrator is stored.
   */
  async #keepAdministrator(record: InstallationRecord): Promise<InstallationRecord> {
    if (record.teamId === undefined) return record
    const { installations } = this.#services.store
    const key = installationKey(record)
    const before = await whereReadable(installations.get(key))
    if (!before && (await installations.has(key))) return { ...record, administrator: '' }
    return { ...record, administrator: before?.administrator ?? before?.installer }
  }

  /** Sends one message per installation. @param addUrl for an organization: Slack's page for adding the app to workspaces */
  async #sendWelcome(record: InstallationRecord, addUrl: string | undefined): Promise<void> {
    const { enterpriseId, teamId = '', installer, installedAt } = record
    const id = `welcome/${installationKey(record)}/${installedAt}`
    // For an organization, the button wouldn't know which workspace to connect.
    const withConnect = teamId !== ''
    const text = addUrl === undefined ? welcomeText : organizationWelcomeText(addUrl)
    await this.#services.notices.notify({ enterpriseId, teamId }, [installer], id, { text, withConnect })
  }
}

function createProvider(
  services: Services,
  { clientId, clientSecret }: OAuthConfig,
  stateStore: StateStore,
): InstallProvider {
  const { apiUrl } = services.config.slack
  return new InstallProvider({
    clientId,
    clientSecret,
    stateStore,
    installationStore: new InstalledApps(services),
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    directInstall: true,
    logger: slackLogger(services.log),
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: backgroundTimeoutMs,
      retryConfig: { retries: 0 },
      allowAbsoluteUrls: false,
    },
  })
}

/** Redirects to Slack's consent page at once, as Slack expects of a "direct install URL". */
const INSTALL_PATH = '/slack/install'
const REDIRECT_PATH = '/slack/oauth_redirect'

/**
 * `/`, `/slack/install` and `/slack/oauth_redirect`, if OAuth is configured.
 * @see https://docs.slack.dev/authentication/installing-with-oauth
 * @see https://docs.slack.dev/slack-marketplace/distributing-your-app-in-the-slack-marketplace
 */
export function install(services: Services): FeatureRoutes {
  const { config, store, log, now } = services
  const { oauth, apiUrl } = config.slack
  if (!oauth) return {}
  const { publicUrl, supportUrl } = oauth
  const stateStore = new StateStore(oauth.stateSecret, store.claims, now)
  const provider = createProvider(services, oauth, stateStore)
  const scopes = botScopes.filter((scope) => config.mcp || scope !== slackbotScope)
  const options = { scopes, redirectUri: `${publicUrl}${REDIRECT_PATH}` }

  const sendResult = (response: ServerResponse, page: ShortPage) =>
    sendPage(response, page.status, shortPage(page, supportUrl))
  const fail = (response: ServerResponse, error: Error) => {
    log.info({ outcome: error.name, cause: error.message }, 'installation not finished')
    sendResult(response, describeFailedInstall(error))
  }

  const onRedirect: AsyncHandler = async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', publicUrl)
    // A link preview's HEAD request must not use up the code.
    if (request.method === 'HEAD' && searchParams.has('code'))
      return fail(response, new MissingCodeError('a HEAD request'))
    // A reload: the SDK deleted the browser's cookie, so it would report another browser's state.
    if (await stateStore.isUsed(searchParams.get('state') ?? ''))
      return fail(response, new UsedStateError('the page was loaded again'))
    return provider.handleCallback(request, response, {
      success: (installation) => sendResult(response, describeInstall(installation, apiUrl)),
      failure: (error) => fail(response, error),
    })
  }

  /** Shows an error that the SDK throws as a page. */
  const withErrorPage =
    (work: AsyncHandler): GetHandler =>
    (request, response) => {
      setPageHeaders(response)
      work(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'installation failed')
        fail(response, error instanceof Error ? error : new Error('unknown'))
      })
    }

  return {
    http: [
      { path: '/', handle: (_, response) => sendPage(response, 200, aboutPage(INSTALL_PATH, supportUrl)) },
      {
        path: INSTALL_PATH,
        // A state is stored only when it is used, so a HEAD request starts nothing.
        handle: withErrorPage((...exchange) => provider.handleInstallPath(...exchange, {}, options)),
      },
      { path: REDIRECT_PATH, handle: withErrorPage(onRedirect) },
    ],
  }
}
