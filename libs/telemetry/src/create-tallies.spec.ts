import { Registry } from 'prom-client';
import { createTallies } from './create-tallies';

describe('tallies', () => {
  it('are added to the metric when it is collected, once each, and together where their labels are the same', async () => {
    const registry = new Registry();
    const tallies = createTallies({ name: 'eggs_total', help: 'Eggs', labelNames: ['colour'], registers: [registry] });
    const brown = tallies({ colour: 'brown' });
    const alsoBrown = tallies({ colour: 'brown' });
    const white = tallies({ colour: 'white' });
    tallies({ colour: 'blue' });
    brown.add(2);
    alsoBrown.add(3);
    white.add(0.5);
    const lines = async (): Promise<string[]> => (await registry.metrics()).split('\n').filter((line) => line.startsWith('eggs_total'));

    expect(await lines()).toEqual(['eggs_total{colour="brown"} 5', 'eggs_total{colour="white"} 0.5']);
    expect(await lines()).toEqual(['eggs_total{colour="brown"} 5', 'eggs_total{colour="white"} 0.5']);
    brown.add(1);
    expect(await lines()).toContain('eggs_total{colour="brown"} 6');
  });
});
