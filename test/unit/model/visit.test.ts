import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCurrentEvents, type VisitEvent, visitsOf } from '../../../src/model/visit.ts';

const at = (time: string) => new Date(`2026-11-22T${time}Z`);
const event = (time: string, more: Partial<VisitEvent> = {}): VisitEvent => ({
  operation: 'page',
  item: null,
  surface: 'web',
  client: null,
  at: at(time),
  until: at(time),
  count: 1,
  ...more,
});

test('events without 30 minutes between them are one visit, and the next one begins after 30 minutes', () => {
  const events = ['10:00:00', '10:29:59', '10:59:58', '11:29:58', '12:30:00'].map((time) => event(time));
  assert.deepEqual(
    visitsOf(events).map((visit) => visit.map((one) => one.at.toISOString().slice(11, 19))),
    [['10:00:00', '10:29:59', '10:59:58'], ['11:29:58'], ['12:30:00']],
  );
});

test('what was done several times lasts until it was done last, also while something else is done', () => {
  const read = event('10:00:00', { surface: 'rest', operation: 'list_projects', count: 3, until: at('10:50:00') });
  assert.equal(visitsOf([read, event('10:05:00'), event('11:15:00')]).length, 1);
  assert.equal(visitsOf([read, event('10:05:00'), event('11:20:00')]).length, 2);
});

test('the page is opened once in a visit, however often it is loaded, but not by a program', () => {
  const read = (time: string, operation: string, surface = 'web', item: string | null = null) =>
    event(time, { operation, surface, item });
  const visit = [
    read('10:00:00.000', 'page'),
    read('10:05:00.000', 'pdf', 'web', 'pdf'),
    read('10:06:00.000', 'list_experience', 'rest'),
    read('10:06:00.100', 'get_resume', 'rest', 'pdf'),
    event('10:07:00.000'),
    read('10:08:00.000', 'pdf'),
  ];
  assert.deepEqual(
    toCurrentEvents(visit).map(({ operation, item, surface }) => [operation, item, surface]),
    [
      ['page', null, 'web'],
      ['pdf', 'pdf', 'web'],
      ['list_experience', null, 'rest'],
      ['get_resume', 'pdf', 'rest'],
      ['pdf', null, 'web'],
    ],
  );
});
