import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as slackOAuth from '@slack/oauth'
import type { OAuthConfig } from '../../config/config.ts'
import type { HttpRoute } from '../../http/http-server.ts'
import { slackLogger } from '../../log.ts'
import type { Services } from '../../services.ts'
import { INSTALL_PATH } from '../../slack/access/scopes.ts'
import { backgroundTimeoutMs } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { UnreadableRecordError } from '../../store/errors.ts'
import { type InstallationRecord, installationKey, NO_ADMINISTRATOR } from '../../store/workspaces.ts'
import { isSameSecret } from '../../util/secrets.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import * as pages from './pages.ts'

/** The same as in `manifest.yml`. `mcp:connect` is for Slackbot. */
export const botScopes = [
  'commands',
  'chat:write',
  'channels:join',
  'channels:read',
  'files:write',
  'groups:read',
  'users:read',
  'mcp:connect',
]

const STATE_TTL_MS: Milliseconds = 10 * minuteMs
/** Outlasts the state by far, because clocks of processes differ. */
const STATE_CLAIM_TTL_MS: Milliseconds = dayMs

/** Accepts a state once: the SDK's store accepts it any number of times, and its JWT library slows each start. */
function createStateStore(
  { store, now }: Services,
  secret: string,
  installOptions: slackOAuth.InstallURLOptions,
): slackOAuth.StateStore {
  const createState = (id: string, expiry: string) => {
    const signature = createHmac('sha256', secret).update(`${id}.${expiry}`).digest('base64url')
    return `${id}.${expiry}.${signature}`
  }
  return {
    generateStateParam: async () => createState(randomUUID(), String(now() + STATE_TTL_MS)),
    // The expiry is by the app's clock, not by the SDK's.
    async verifyStateParam(_now, state) {
      const [id = '', expiry = ''] = state.split('.')
      const isOurs = isSameSecret(state, createState(id, expiry))
      if (!isOurs || Number(expiry) < now())
        throw new slackOAuth.InvalidStateError('the state is not ours, or has expired')
      const isFirstUse = await store.claim('oauth-state', id, STATE_CLAIM_TTL_MS)
      if (!isFirstUse) throw new slackOAuth.InvalidStateError('the state was used before')
      return installOptions
    },
  }
}

function toInstallationRecord(installation: slackOAuth.Installation, now: EpochMs): InstallationRecord {
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

/**
 * Returns who stays administrator: a workspace may let every member reinstall apps, so reinstalling must not make one. Without
 * an installation before, or for an organization, where only admins can install, the installer is the administrator.
 */
async function findAdministrator({ store }: Services, record: InstallationRecord) {
  if (record.teamId === undefined) return undefined
  try {
    const before = await store.installations.get(installationKey(record))
    return before?.administrator ?? before?.installer
  } catch (error) {
    if (error instanceof UnreadableRecordError) return NO_ADMINISTRATOR
    throw error
  }
}

async function storeInstallation(services: Services, installation: slackOAuth.Installation): Promise<void> {
  const { config, store, notices, log, now } = services
  const record = toInstallationRecord(installation, now())
  const { enterpriseId, teamId, installer, installedAt } = record
  const administrator = await findAdministrator(services, record)
  const key = installationKey(record)
  await store.installations.set({ ...record, administrator }, key)
  const who = { team: teamId, enterprise: enterpriseId, person: installer }
  log.info({ audit: true, action: 'install', ...who }, 'audit')
  const text = pages.welcomeText(installation, config.slack.apiUrl)
  // For an organization, the button wouldn't know which workspace to connect.
  const notice = { text, withConnect: teamId !== undefined }
  const workspace = { enterpriseId, teamId: teamId ?? '' }
  const onFailure = (error: unknown) => log.error({ err: error }, 'welcome message failed')
  await notices.notify(workspace, [installer], `welcome/${key}/${installedAt}`, notice).catch(onFailure)
}

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page's URL contains a code or a state, so it must not be cached, framed or sent as a referrer. */
const pageHeaders = new Map([
  ['content-type', 'text/html; charset=utf-8'],
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', CONTENT_POLICY],
])

const REDIRECT_PATH = '/slack/oauth_redirect'

function createProvider({ config, log }: Services, oauth: OAuthConfig, stateStore: slackOAuth.StateStore) {
  const { apiUrl } = config.slack
  return new slackOAuth.InstallProvider({
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    stateStore,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    // Slack expects a redirect to its consent page from a "direct install URL".
    directInstall: true,
    // Every error ends in `InstallPages.#fail`, and most are a visitor's.
    logger: { ...slackLogger(log), error: () => {} },
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: backgroundTimeoutMs,
      retryConfig: { retries: 0 },
      allowAbsoluteUrls: false,
    },
  })
}

/**
 * @see https://docs.slack.dev/authentication/installing-with-oauth
 * @see https://docs.slack.dev/slack-marketplace/distributing-your-app-in-the-slack-marketplace
 */
class InstallPages {
  readonly #services
  readonly #oauth
  readonly #installOptions
  readonly #provider

  constructor(services: Services, oauth: OAuthConfig) {
    this.#services = services
    this.#oauth = oauth
    const scopes = botScopes.filter((scope) => services.config.mcp || scope !== 'mcp:connect')
    this.#installOptions = { scopes, redirectUri: `${oauth.publicUrl}${REDIRECT_PATH}` }
    const states = createStateStore(services, oauth.stateSecret, this.#installOptions)
    this.#provider = createProvider(services, oauth, states)
  }

  routes(): readonly HttpRoute[] {
    const { supportUrl } = this.#oauth
    const { scopes } = this.#installOptions
    return [
      this.#page('/', async (_, response) => void response.end(pages.aboutPage(supportUrl, scopes))),
      this.#page(pages.PRIVACY_PATH, async (_, response) => void response.end(pages.privacyPage(supportUrl))),
      // A state is stored only when it is used, so a HEAD request starts nothing.
      this.#page(INSTALL_PATH, (request, response) =>
        this.#provider.handleInstallPath(request, response, {}, this.#installOptions),
      ),
      this.#page(REDIRECT_PATH, (request, response) => this.#onRedirect(request, response)),
    ]
  }

  #page(path: string, handle: HttpRoute['handle']): HttpRoute {
    return {
      path,
      handle: async (request, response) => {
        response.setHeaders(pageHeaders)
        await handle(request, response).catch((error: unknown) => this.#fail(response, error))
      },
    }
  }

  async #onRedirect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams, host } = new URL(request.url ?? '', this.#oauth.publicUrl)
    // The SDK parses the URL with the header's host, which may be anything.
    request.headers.host = host
    // A link preview's HEAD request must not use up the code.
    if (request.method === 'HEAD' && searchParams.has('code'))
      throw new slackOAuth.MissingCodeError('a HEAD request')
    await this.#provider.handleCallback(request, response, {
      afterInstallation: async (installation) => {
        await storeInstallation(this.#services, installation)
        this.#sendResult(response, pages.describeInstall(installation, this.#services.config.slack.apiUrl))
        // Keeps the SDK from storing the installation, too.
        return false
      },
      failure: (error) => this.#fail(response, error),
    })
  }

  #fail(response: ServerResponse, error: unknown): void {
    const { log } = this.#services
    const page = pages.describeFailedInstall(error)
    const cause = error instanceof Error ? error.message : 'unknown'
    if (page.status >= 500) log.error({ err: error }, 'installation failed')
    else log.info({ cause }, 'installation not finished')
    this.#sendResult(response, page)
  }

  #sendResult(response: ServerResponse, page: pages.ResultPage): void {
    response.statusCode = page.status
    response.end(pages.renderResult(page, this.#oauth.supportUrl))
  }
}

export function install(services: Services): FeatureRoutes {
  const { oauth } = services.config.slack
  if (!oauth) return {}
  return { http: new InstallPages(services, oauth).routes() }
}
