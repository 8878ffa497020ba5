import { writeAgentsQuery } from '../../../src/features/agents/query.ts'
import { writeQuery } from '../../../src/features/calls/query.ts'
import { NotAllowedError, NotConnectedError, NotInstalledError } from '../../../src/slack/access/errors.ts'
import { apology, type Fallback } from '../../../src/slack/answers/answer.ts'
import { channelRefusal, unconfirmedShareText } from '../../../src/slack/answers/channel-texts.ts'
import { describeFailure } from '../../../src/slack/answers/error-texts.ts'
import { noticeModal, waitingModal } from '../../../src/slack/answers/modals.ts'
import { SlackUnavailableError, TokenRefusedError } from '../../../src/slack/api/web-api.ts'
import { ACTIONS } from '../../../src/slack/blocks/action-ids.ts'
import { ForgedValueError } from '../../../src/slack/blocks/values.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TooManyWaitingError,
} from '../../../src/telephony/errors.ts'
import { type FeatureSample, forBoth, message, modal, text } from './sample.ts'
import { ada, ben, finance } from './setting.ts'

const ofCalls: Fallback = {
  retry: { actionId: ACTIONS.callsRetry, value: writeQuery({ direction: 'incoming', page: 1 }) },
  request: 'Incoming calls · Every status · any day · page 1',
}
const ofAgents: Fallback = {
  retry: { actionId: ACTIONS.agentsRetry, value: writeAgentsQuery({ name: '', page: 1 }) },
  request: 'the agents',
}
const ofBilling: Fallback = {
  retry: { actionId: ACTIONS.billingRefresh, value: 'refresh' },
  request: 'the billing details',
}

const away = new ServiceUnavailableError('incoming', 'timeout')
const failures: readonly (readonly [name: string, error: Error, fallback?: Fallback])[] = [
  ['Not connected', new NotConnectedError()],
  ['Key and secret no longer accepted', new CredentialsRejectedError('incoming')],
  ['The service is away, for calls', away],
  ['The service is away, for agents', away, ofAgents],
  ['The service is away, for billing', away, ofBilling],
  ['The service asks to wait', new RateLimitedError('incoming', 90_000)],
  ['The service refuses', new RequestRefusedError('incoming')],
  ['Too many waiting', new TooManyWaitingError('incoming')],
  ['Not for guests', new NotAllowedError('member')],
  ['For admins', new NotAllowedError('admin')],
  [
    'For whom the admins named too',
    new NotAllowedError('admin', { hasSlackRoles: true, people: [ada, ben] }),
  ],
  [
    'For whoever installed it in an organisation',
    new NotAllowedError('admin', { hasSlackRoles: false, people: [ada] }),
  ],
  ['Calls are not for everyone', new NotAllowedError('calls')],
  ['Agents are not for everyone', new NotAllowedError('agents')],
  ['Billing is not for everyone', new NotAllowedError('billing')],
  ['Not installed', new NotInstalledError()],
  ['Token refused', new TokenRefusedError('invalid_auth')],
  ['Slack is away', new SlackUnavailableError('views.open')],
  ['A button of somebody else', new ForgedValueError('a query')],
  ['Something else', new Error('unforeseen')],
]

const described = (error: Error, isAdmin: boolean, { request }: Fallback = ofCalls) => {
  const context = { isAdmin, request, reference: '4f1c0a77' }
  return { context, failure: describeFailure(error, context) }
}

const channels = ['not-in', 'unknown', 'archived', 'shared', 'org-shared', 'direct'] as const

export const failed: readonly FeatureSample[] = [
  ...failures.flatMap(([name, error, fallback = ofCalls]) =>
    forBoth(name, (own, isAdmin) => {
      const { context, failure } = described(error, isAdmin, fallback)
      return message(own, apology(failure, context, fallback).message)
    }),
  ),
  modal('In a modal: one moment', waitingModal),
  modal('In a modal: the service is away', noticeModal(described(away, false).failure.text)),
  text('A share that may have arrived', unconfirmedShareText),
  ...channels.map((state) => text(`A channel that is refused: ${state}`, channelRefusal(state, finance))),
]
