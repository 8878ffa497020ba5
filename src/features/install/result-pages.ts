import { AuthorizationError, type Installation, InvalidStateError, MissingStateError } from '@slack/oauth'
import type { HtmlPage } from './html-page.ts'
import { addToWorkspacesUrl } from './organisation.ts'
import { UsedStateError } from './state-store.ts'

const failure = (status: number, title: string, line: string, button = 'Start again') => {
  const link = { text: button, href: '/slack/install' }
  return { status, title, lines: [line], link }
}

/** What a person sees whose installation was not finished, and its HTTP status. */
export function failurePage(error: Error): ReturnType<typeof failure> {
  if (error instanceof AuthorizationError)
    return failure(403, 'Not installed', 'Nothing was installed, because it was not allowed in Slack.')
  if (error instanceof MissingStateError) {
    const line = 'An installation starts here. Follow the button, and allow Callboard in Slack.'
    return failure(400, 'Install Callboard', line, 'Go on')
  }
  if (error instanceof UsedStateError) {
    const line =
      'This link was used already. If Callboard is in your workspace, all is well: try `/calls` there.'
    return failure(400, 'Used already', line)
  }
  if (error instanceof InvalidStateError) {
    const line = 'This link has expired, or it was opened in another browser than the one it was made for.'
    return failure(400, 'Expired', line)
  }
  const line = 'Something went wrong between Slack and Callboard. Nothing was installed; please try again.'
  return failure(500, 'Not installed', line)
}

/** @param apiUrl base of Slack's Web API, ends in `/` */
export function successPage(installation: Installation, apiUrl: string): HtmlPage {
  const { appId, team, enterprise } = installation
  const where = team?.name ?? enterprise?.name
  const addUrl = addToWorkspacesUrl(installation, apiUrl)
  if (addUrl !== undefined)
    return {
      title: 'Callboard is installed',
      lines: [
        `${where ?? 'Your organisation'} has it now, but none of its workspaces does yet: next, choose those that should have it.`,
        'Then, in each of them, an admin types `/calls connect` in Slack and enters the key and secret of its telephony account. `/calls` shows its calls.',
      ],
      link: { text: 'Choose workspaces', href: addUrl },
    }
  const query = new URLSearchParams({ ...(appId ? { app: appId } : {}), ...(team ? { team: team.id } : {}) })
  return {
    title: 'Callboard is installed',
    lines: [
      `It is in ${where ?? 'your workspace'} now, and has written to you there.`,
      'Next: type `/calls connect` in Slack and enter the key and secret of your telephony account. Then `/calls` shows its calls.',
    ],
    link: { text: 'Open Slack', href: new URL(`/app_redirect?${query}`, apiUrl).href },
  }
}

/** Where an installation begins. @param url Slack's page that asks for consent */
export const installPage = (url: string): HtmlPage => ({
  title: 'Install Callboard',
  lines: [
    'Callboard puts your telephony account where your team already talks: calls, agents and billing, in Slack.',
  ],
  link: { text: 'Add to Slack', href: url },
})
