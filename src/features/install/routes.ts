import { type Installation, type InstallationStore, InstallProvider } from '@slack/oauth'
import type { GetHandler } from '../../http/http-server.ts'
import { slackLogger } from '../../log.ts'
import type { Services } from '../../services.ts'
import { backgroundTimeoutMs } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'
import { renderPage, sendPage, setPageHeaders } from './html-page.ts'
import { StateStore, UsedStateError } from './state-store.ts'
import {
  aboutPage,
  addToWorkspacesUrl,
  failurePage,
  installPage,
  organisationWelcomeText,
  successPage,
  welcomeText,
} from './words.ts'

/** https://docs.slack.dev/reference/scopes/mcp.connect */
const slackbotScope = 'mcp:connect'

/** As `manifest.yml` has them; the last one where Slackbot may call tools. */
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

function toRecord(installation: Installation, now: number): InstallationRecord {
  const { bot, team, enterprise, isEnterpriseInstall } = installation
  if (!bot) throw new TypeError('an installation without a bot')
  return {
    enterpriseId: enterprise?.id,
    teamId: isEnterpriseInstall ? undefined : team?.id,
    botToken: bot.token,
    botUserId: bot.userId,
    appId: installation.appId,
    scopes: bot.scopes,
    refreshToken: bot.refreshToken,
    expiresAt: bot.expiresAt === undefined ? undefined : bot.expiresAt * 1000,
    installer: installation.user.id,
    installedAt: now,
  }
}

/** Sends on to Slack's consent page at once, as Slack wants it of a "direct install URL". */
const directPath = '/slack/install/direct'

/**
 * `/`, `/slack/install`, `/slack/install/direct` and `/slack/oauth_redirect`, where the configuration has OAuth. A HEAD request
 * (a link's preview) begins and ends nothing.
 * @see https://docs.slack.dev/authentication/installing-with-oauth
 * @see https://docs.slack.dev/slack-marketplace/distributing-your-app-in-the-slack-marketplace
 */
export function install({ config, store, notices, log, now }: Services): FeatureRoutes {
  const { oauth, apiUrl } = config.slack
  if (!oauth) return {}
  const { supportUrl } = oauth
  const footer = [
    { text: 'About Callboard', href: '/' },
    { text: 'Privacy', href: '/#privacy' },
    { text: 'Support', href: supportUrl },
  ]

  /**
   * Writes to the person who installed the app, once for each installation.
   * @param addUrl for an organisation: Slack's page for adding the app to workspaces
   * @throws {StoreError}
   */
  async function tellWelcome(record: InstallationRecord, addUrl: string | undefined): Promise<void> {
    const { enterpriseId, teamId = '', installer, installedAt } = record
    const id = `welcome/${installationKey(record)}/${installedAt}`
    // In an organisation the button would not know which workspace to connect.
    const withConnect = teamId !== ''
    const text = addUrl === undefined ? welcomeText : organisationWelcomeText(addUrl)
    await notices.notify({ enterpriseId, teamId }, [installer], id, { text, withConnect })
  }

  /**
   * A workspace may let every member install apps, so installing over an installation makes nobody an administrator; an
   * organisation's admins alone install for the whole of it. @throws {StoreError}
   */
  async function keepAdministrator(record: InstallationRecord): Promise<InstallationRecord> {
    if (record.teamId === undefined) return record
    const key = installationKey(record)
    const before = await whereReadable(store.installations.get(key))
    // Whom one that can't be read had made an administrator is not known; the workspace's own admins are there.
    if (!before && (await store.installations.has(key))) return { ...record, administrator: '' }
    return { ...record, administrator: before?.administrator ?? before?.installer }
  }

  const installationStore: InstallationStore = {
    async storeInstallation(installation) {
      const record = await keepAdministrator(toRecord(installation, now()))
      const { teamId: team, enterpriseId: enterprise, installer: person } = record
      await store.installations.set(record, installationKey(record))
      log.info({ audit: true, action: 'install', team, enterprise, person }, 'audit')
      const addUrl = addToWorkspacesUrl(installation, apiUrl)
      await tellWelcome(record, addUrl).catch((error: unknown) =>
        log.error({ err: error }, 'the installer was not written to'),
      )
    },
    async fetchInstallation() {
      throw new TypeError('installations are looked up elsewhere')
    },
  }
  const stateStore = new StateStore(oauth.stateSecret, store.claims, now)
  const providerOptions = {
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    stateStore,
    installationStore,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    logger: slackLogger(log),
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: backgroundTimeoutMs,
      retryConfig: { retries: 0 },
      allowAbsoluteUrls: false,
    },
    renderHtmlForInstallPath: (url: string) => renderPage({ ...installPage(url), footer }),
  }
  /** What the address holds that Slack sends a browser back to: a state, and a code. */
  const parameterOf = (url = '', name: string) => new URL(url, oauth.publicUrl).searchParams.get(name) ?? ''
  const provider = new InstallProvider(providerOptions)
  const directProvider = new InstallProvider({ ...providerOptions, directInstall: true })
  const options = {
    scopes: botScopes.filter((scope) => config.mcp || scope !== slackbotScope),
    redirectUri: `${oauth.publicUrl}/slack/oauth_redirect`,
  }

  const fail = (response: Parameters<GetHandler>[1], error: Error) => {
    const { status, ...page } = failurePage(error)
    log.info({ outcome: error.name, cause: error.message }, 'an installation was not finished')
    sendPage(response, status, { ...page, footer })
  }
  /** Hands over to the SDK; whatever it throws becomes a page. */
  const handled =
    (
      work: (...exchange: Parameters<GetHandler>) => Promise<void>,
      isForHead = (_url: string | undefined) => false,
    ): GetHandler =>
    (request, response) => {
      setPageHeaders(response)
      if (request.method === 'HEAD' && !isForHead(request.url)) {
        response.end()
        return
      }
      work(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'an installation failed')
        fail(response, error instanceof Error ? error : new Error('unknown'))
      })
    }

  return {
    http: [
      {
        path: '/',
        handle: (_request, response) => sendPage(response, 200, aboutPage(directPath, supportUrl)),
      },
      {
        path: directPath,
        // A state is kept nowhere until it is used: asking where this leads begins nothing.
        handle: handled(
          (request, response) => directProvider.handleInstallPath(request, response, {}, options),
          () => true,
        ),
      },
      {
        path: '/slack/install',
        handle: handled((request, response) => provider.handleInstallPath(request, response, {}, options)),
      },
      {
        path: '/slack/oauth_redirect',
        handle: handled(
          async (request, response) => {
            // Loaded again: by then the SDK has taken the browser's cookie, and would take it for somebody else's.
            if (await stateStore.isUsed(parameterOf(request.url, 'state')))
              return fail(response, new UsedStateError('the page was loaded again'))
            return provider.handleCallback(request, response, {
              success: (installation) =>
                sendPage(response, 200, { ...successPage(installation, apiUrl), footer }),
              failure: (error) => fail(response, error),
            })
          },
          (url) => parameterOf(url, 'code') === '',
        ),
      },
    ],
  }
}
