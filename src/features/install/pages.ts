import * as slackOAuth from '@slack/oauth'
import { INSTALL_PATH, optionalScopes, scopeUses } from '../../slack/access/scopes.ts'
import { findSlackCode } from '../../slack/api/slack-failure.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'

export const PRIVACY_PATH = '/privacy'

/** Escapes the same characters as for Slack, and quotes. */
export const escapeHtml = (text: string) => escapeText(text).replaceAll('"', '&quot;')

const style = `
  :root { color-scheme: light dark; --accent: light-dark(#14705a, #6fd3b4); --code: light-dark(#eceef2, #2c3038) }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #16181c); color: light-dark(#1d1f23, #e8eaee); font: 16px/1.5 system-ui, sans-serif }
  main { background: light-dark(#fff, #1f2228); border-radius: 12px; padding: 32px; max-width: 480px; margin: 16px }
  main:has(table) { max-width: 880px }
  .brand { display: flex; align-items: center; gap: 10px; margin: 0 0 16px; font-weight: 700 }
  h1 { font-size: 22px; margin: 0 0 12px }
  h2 { font-size: 18px; margin: 28px 0 8px }
  code { background: var(--code); border-radius: 4px; padding: 1px 5px }
  a { color: var(--accent); overflow-wrap: anywhere }
  a.button { display: inline-block; margin-top: 12px; padding: 10px 18px; border-radius: 8px; background: var(--accent); color: light-dark(#fff, #10211b); text-decoration: none; font-weight: 600 }
  th, td { padding: 8px 12px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--code) }
  footer { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 28px; font-size: 14px }`

const logo =
  '<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f3a5f"/><path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

const renderPage = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Callboard</title><style>${style}</style></head><body><main><p class="brand">${logo}Callboard</p><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`

/** Returns a paragraph in which text between backticks is code. */
const toParagraph = (text: string) => `<p>${escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`

export interface ResultPage {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly button: readonly [label: string, href: string]
}

export function renderResult({ title, text, button }: ResultPage, supportUrl: string): string {
  const [label, href] = button
  const content = `${toParagraph(text)}
<a class="button" href="${escapeHtml(href)}">${escapeHtml(label)}</a>
<footer><a href="/">About Callboard</a><a href="${PRIVACY_PATH}">Privacy</a><a href="${escapeHtml(supportUrl)}">Support</a></footer>`
  return renderPage(title, content)
}

function toFailurePage(status: number, title: string, text: string, label = 'Try again'): ResultPage {
  return { status, title, text, button: [label, INSTALL_PATH] }
}

export function describeFailedInstall(error: unknown): ResultPage {
  if (error instanceof slackOAuth.AuthorizationError)
    return toFailurePage(403, 'Not installed', 'You cancelled. Nothing was installed.')
  if (error instanceof slackOAuth.MissingStateError || error instanceof slackOAuth.MissingCodeError) {
    const text = 'Nothing is installed yet. Start with the button below.'
    return toFailurePage(400, 'Install Callboard', text, 'Install Callboard')
  }
  // A made-up code is no failure of ours: anyone can open the address with one.
  const isRefusedCode = ['invalid_code', 'code_already_used'].includes(findSlackCode(error) ?? '')
  if (error instanceof slackOAuth.InvalidStateError || isRefusedCode) {
    const text =
      'This link has expired, was used before, or was opened in another browser. If Callboard is installed already, try `/callboard` in Slack.'
    return toFailurePage(400, 'Link expired', text)
  }
  const text = 'Something went wrong between Slack and Callboard. Nothing was installed.'
  return toFailurePage(500, 'Not installed', text)
}

/**
 * Returns Slack's page for adding an organization's installation to workspaces, because it starts without any; else undefined.
 * @see https://api.slack.com/enterprise/apps/reference
 */
function findAddToWorkspacesUrl(installation: slackOAuth.Installation, apiUrl: string): string | undefined {
  const { isEnterpriseInstall, enterprise, appId } = installation
  if (!isEnterpriseInstall || !enterprise || appId === undefined) return undefined
  const url = new URL(`/manage/${enterprise.id}/integrations/profile/${appId}/workspaces/add`, apiUrl)
  // Slack's and GovSlack's admin pages are on `app.`; test servers use http and have no such host.
  if (url.protocol === 'https:') url.hostname = `app.${url.hostname}`
  return url.href
}

/** @param apiUrl base of Slack's Web API, whose host also has these pages */
export function describeInstall(installation: slackOAuth.Installation, apiUrl: string): ResultPage {
  const { appId = '', team, enterprise } = installation
  const title = 'Callboard is installed'
  const addUrl = findAddToWorkspacesUrl(installation, apiUrl)
  if (addUrl !== undefined) {
    const text = `${enterprise?.name ?? 'Your organization'} has Callboard now, but none of its workspaces yet. Next, choose the workspaces that should have it. Then, in each of them, type \`/callboard calls connect\` and enter the API key and secret of its phone account.`
    return { status: 200, title, text, button: ['Choose workspaces', addUrl] }
  }
  const query = new URLSearchParams({ app: appId, team: team?.id ?? '' })
  const text = `Callboard is now in ${team?.name ?? 'your workspace'}, and has sent you a message there. Next, connect your phone account with its API key and secret: use the button in that message, or type \`/callboard calls connect\`.`
  return { status: 200, title, text, button: ['Open Slack', new URL(`/app_redirect?${query}`, apiUrl).href] }
}

/** Returns mrkdwn of the direct message to the person who installed the app. */
export function welcomeText(installation: slackOAuth.Installation, apiUrl: string): string {
  const addUrl = findAddToWorkspacesUrl(installation, apiUrl)
  if (addUrl === undefined)
    return 'Thanks for installing Callboard. Connect your phone account, and your team can look up its calls in Slack. You need its API key and secret.'
  return `Thanks for installing Callboard in your organization. <${escapeText(addUrl)}|Add it to workspaces>, and connect the phone account of each with \`/callboard calls connect\`, its API key and its secret. There, you are the administrator, and can name others in the Home tab, because Slack doesn't tell Callboard who is an admin of a single workspace.`
}

/** Shows an address as people write it. */
function renderSupportLink(supportUrl: string): string {
  const address = supportUrl.replace(/^(mailto:|https:\/\/)/, '').replace(/\?.*$/, '')
  return `<a href="${escapeHtml(supportUrl)}">${escapeHtml(address)}</a>`
}

export function aboutPage(supportUrl: string, scopes: readonly string[]): string {
  const askedScopes = optionalScopes.filter((scope) => scopes.includes(scope))
  const uses = askedScopes.map((scope) => toParagraph(`With \`${scope}\`, Callboard ${scopeUses[scope]}.`))
  const content = `<ul>
<li><strong>No missed call is forgotten.</strong> Missed calls appear in a channel as they happen. Someone takes them, everyone sees who, and the morning report says what is left.</li>
<li><strong>Answers where you work.</strong> <code>/callboard calls</code>, <code>agents</code> and <code>billing</code> answer in seconds. Only you see the reply, until you share it.</li>
<li><strong>The bill, checked and posted.</strong> See what the account costs and whether the bill adds up. Post it to a channel after a preview, or on a schedule.</li>
</ul>
<a class="button" href="${INSTALL_PATH}">Add to Slack</a>
<h2 id="next">What happens next</h2>
<ol>
<li>Slack shows what Callboard may do, and asks you to allow it in your workspace.</li>
<li>Callboard writes to you. There, an administrator connects the phone account with its API key and secret.</li>
<li>Type <code>/callboard</code>. The administrator decides who sees calls, agents and billing. Guests can't ask, but read what is posted in their channels.</li>
</ol>
<h2 id="permissions">Optional permissions</h2>
<p>Callboard asks for permissions that you can leave out on Slack's page, and grant later by installing it again.</p>
${uses.join('')}
<h2 id="support">Support</h2>
<p>For help with Callboard:</p>
${renderSupportLink(supportUrl)}
<footer><a href="${PRIVACY_PATH}">Privacy</a></footer>`
  return renderPage('Missed calls, agents and phone bills, without leaving Slack', content)
}

/** The table lists everything that is stored. All of it except logs and backups is deleted with the workspace. */
export function privacyPage(supportUrl: string): string {
  const content = `<p>Callboard reads calls, agents and bills from the phone service when someone asks for them, a report or bill is due, or an alert checks for missed calls. It cannot read channels: when someone chooses "Find calls by number" in the menu of a message, Slack sends it that one message, and none of it is kept.</p>
<p>Data is kept in the database of whoever runs Callboard at this address. The access token, API key and secret are encrypted there. Data goes only to Slack (including Slackbot, when people ask it) and to the phone service.</p>
<p>Only the person who asks sees the reply. Everyone in a channel, guests included, sees what people post or share there, missed-call alerts and scheduled posts.</p>
<h2 id="retention">What is kept, and how long</h2>
<table><tr><th scope="col">What is kept</th><th scope="col">Why, and how long</th></tr>
<tr><td>The workspace or organization, its access token (encrypted), and the Slack ID of the person who installed Callboard</td><td>To answer there, until Callboard is uninstalled</td></tr>
<tr><td>API key and secret of the phone account (encrypted)</td><td>To read the phone account, until <code>/callboard calls disconnect</code></td></tr>
<tr><td>Time zones, access rules, administrators, names of lines, and which agent a person is</td><td>To show calls as you set it up, until changed</td></tr>
<tr><td>Alerts and schedules: what they are about, who set them up or muted them and whom they remind (Slack ID), the next billing date, the amounts of the last bill posted</td><td>To post on time, until deleted in the Home tab</td></tr>
<tr><td>Missed calls that an alert posted or will post: when, on which line, who set it up, and who took, assigned, released and finished them, by Slack ID and name</td><td>To post each, to show who takes care of them, and for reports, 100 days</td></tr>
<tr><td>Audit log: Slack ID of who connected, changed, shared, exported or posted what, and whose SIP password was viewed, by ID and name of the agent</td><td>So that administrators can look up who did what, at least a year</td></tr>
<tr><td>An export: who asked for what, and its calls in memory</td><td>To finish it after a restart, until it is sent or cancelled</td></tr>
<tr><td>Calls, agents, lines and reports, in memory only</td><td>To turn pages and regroup reports, ten minutes at most</td></tr>
<tr><td>Direct messages that wait to be sent, IDs of the missed calls checked last, and records that prevent duplicates</td><td>To post everything, and only once, 30 days at most; the IDs until others replace them</td></tr>
<tr><td>Logs: IDs of workspaces and people, never a key, secret or password. Backups of all of this</td><td>To keep Callboard running, for as long as whoever runs Callboard decides</td></tr>
</table>
<h2 id="your-data">Access, transfer and deletion</h2>
<p>Export: <code>/callboard calls export</code> sends calls, and <code>/callboard audit</code> the audit log, as a CSV file.</p>
<p>Delete: uninstalling Callboard deletes all data about a workspace, and so does an administrator with <code>/callboard forget</code>. What was posted in Slack, or sent as a file, stays there, under the rules of the workspace.</p>
<p>To see, transfer, correct or delete data about you or your workspace in any other way, write to:</p>
${renderSupportLink(supportUrl)}
<footer><a href="/">About Callboard</a></footer>`
  return renderPage('Privacy', content)
}
