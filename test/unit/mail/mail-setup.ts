import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { MailFailure, type Message, openMailer } from '../../../src/adapters/mail/mailer.ts';

export const message: Message = {
  id: '7f6d',
  to: 'owner@example.com',
  subject: 'Contact request from Zoë (Ünïted)',
  text: `> Grüße, ${'long '.repeat(300)}\n>  two spaces\n.\nFrom here on\n`,
  replyTo: 'ada@example.org',
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
};
export const signal = new AbortController().signal;

/** A mailer that writes files, or sends by SMTP to `smtpUrl`; `lines` is its log. */
export function open(t: TestContext, settings: { smtpUrl?: string; from?: string; baseUrl?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const directory = join(folder, 'mail');
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => void lines.push(line) };
  const baseUrl = 'https://profile.example/ada';
  const mailer = openMailer({
    smtpUrl: undefined,
    from: undefined,
    baseUrl,
    directory,
    log,
    ...settings,
  });
  return { mailer, directory, lines };
}

/** The failure of a delivery, without its cause. */
export const failureOf = async (sending: Promise<unknown>) => {
  const error = await sending.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof MailFailure, String(error));
  const { message, isPermanent, isAboutContent } = error;
  return { message, isPermanent, isAboutContent };
};
