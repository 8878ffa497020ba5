import { integer, type Random } from '../random.ts'

/**
 * Fictional numbers: each range is reserved by the country's regulator (NANP 555-01xx, Ofcom's 020 7946 0xxx, the
 * Bundesnetzagentur's 030 23125 xxx, Arcep's 01 99 00 xx xx).
 */
const RANGES = [
  { country: 'United States', prefix: '+1202555', first: 100, count: 100, digits: 4, rate: 125 },
  { country: 'United Kingdom', prefix: '+44207946', first: 0, count: 1000, digits: 4, rate: 180 },
  { country: 'Germany', prefix: '+493023125', first: 0, count: 1000, digits: 3, rate: 215 },
  { country: 'France', prefix: '+3319900', first: 0, count: 10_000, digits: 4, rate: 240 },
] as const

export type Country = (typeof RANGES)[number]['country']

/** @param index of the number in the country's range; wraps around */
export function numberIn(country: Country, index: number): string {
  const range = RANGES.find((candidate) => candidate.country === country) ?? RANGES[0]
  return range.prefix + String(range.first + (index % range.count)).padStart(range.digits, '0')
}

export interface DialedNumber {
  readonly number: string
  /** Price of a minute, in ten-thousandths of the currency's unit. */
  readonly rate: number
}

export function randomNumber(random: Random): DialedNumber {
  const range = RANGES[integer(random, RANGES.length)] ?? RANGES[0]
  return { number: numberIn(range.country, integer(random, range.count)), rate: range.rate }
}

/** Formats ten-thousandths without trailing zeros: 125 is `0.0125`, 10_000 is `1`. */
export function decimal(tenThousandths: number): string {
  const fraction = String(tenThousandths % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '')
  const whole = Math.floor(tenThousandths / 10_000)
  return fraction === '' ? `${whole}` : `${whole}.${fraction}`
}
